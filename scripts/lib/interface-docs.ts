/** The documentation of the components' arguments, read from their interfaces. */
import { readFileSync } from "node:fs";
import ts from "typescript";

/** What an interface says of one field. */
export interface FieldDocs {
  /** Text and default in one paragraph. */
  readonly text: string;
  /** Names that occur in the field's type, among them that of its own interface. */
  readonly types: readonly string[];
}

/** Fields by the names of their interfaces. */
export type InterfaceDocs = ReadonlyMap<string, ReadonlyMap<string, FieldDocs>>;

export function interfaceDocs(files: readonly string[]): InterfaceDocs {
  const interfaces = new Map<string, Map<string, FieldDocs>>();
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (ts.isInterfaceDeclaration(statement)) interfaces.set(statement.name.text, fieldsOf(statement));
    }
  }
  return interfaces;
}

function fieldsOf(declaration: ts.InterfaceDeclaration): Map<string, FieldDocs> {
  const fields = new Map<string, FieldDocs>();
  for (const member of declaration.members) {
    if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name)) continue;
    fields.set(member.name.text, { text: textOf(member), types: typesIn(member.type) });
  }
  return fields;
}

function textOf(member: ts.PropertySignature): string {
  const said = ts
    .getJSDocCommentsAndTags(member)
    .map((node) => ts.getTextOfJSDocComment(node.comment) ?? "")
    .join(" ");
  const standard = ts.getJSDocTags(member).find((tag) => tag.tagName.text === "default");
  const value = (ts.getTextOfJSDocComment(standard?.comment) ?? "").replace(/^- /, "");
  const text = [said, value === "" ? "" : `Default: ${value}.`].filter((part) => part !== "").join(" ");
  return text.replaceAll(/\{@link (\w+)\}/g, "$1").replaceAll(/\s+/g, " ");
}

function typesIn(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  const own = ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) ? [node.typeName.text] : [];
  const inner: string[] = [];
  node.forEachChild((child) => {
    inner.push(...typesIn(child));
  });
  return [...own, ...inner];
}
