/** The documentation of the components' arguments, read from their interfaces. */
import { readFileSync } from "node:fs";
import ts from "typescript";

/** What an interface says of one field. */
export interface FieldDocs {
  /** Text and default in one paragraph. */
  readonly text: string;
  /** Names that occur in the field's type, among them that of its own interface. */
  readonly types: readonly string[];
  /** The type as it is written. */
  readonly type: string;
  readonly optional: boolean;
  /** The text alone. */
  readonly said: string;
  /** The default as the documentation writes it; empty if there is none. */
  readonly standard: string;
  /** Values that the documentation gives as examples. */
  readonly examples: readonly string[];
}

/** Fields by the names of their interfaces. */
export type InterfaceDocs = ReadonlyMap<string, ReadonlyMap<string, FieldDocs>>;

export function interfaceDocs(files: readonly string[]): InterfaceDocs {
  const interfaces = new Map<string, Map<string, FieldDocs>>();
  const extended = new Map<string, string[]>();
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (!ts.isInterfaceDeclaration(statement)) continue;
      const { text } = statement.name;
      interfaces.set(text, fieldsOf(statement));
      const bases = (statement.heritageClauses ?? []).flatMap((clause) => clause.types);
      if (bases.length > 0)
        extended.set(
          text,
          bases.map(({ expression }) => expression.getText()),
        );
    }
  }
  // What an interface extends may stand in a later file, so its fields are added at the end.
  for (const [name, bases] of extended) {
    const inherited = bases.flatMap((base) => [...(interfaces.get(base) ?? [])]);
    interfaces.set(name, new Map([...inherited, ...(interfaces.get(name) ?? [])]));
  }
  return interfaces;
}

function fieldsOf(declaration: ts.InterfaceDeclaration): Map<string, FieldDocs> {
  const fields = new Map<string, FieldDocs>();
  for (const member of declaration.members) {
    if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name)) continue;
    const said = saidOf(member);
    const standard = tagged(member, "default")[0] ?? "";
    const value = standard.replace(/^- /, "");
    fields.set(member.name.text, {
      text: flat([said, value === "" ? "" : `Default: ${value}.`].filter((part) => part !== "").join(" ")),
      types: typesIn(member.type),
      type: member.type?.getText() ?? "unknown",
      optional: member.questionToken !== undefined,
      said,
      standard: value,
      examples: tagged(member, "example"),
    });
  }
  return fields;
}

/** What the documentation of a declaration says, links as plain words. */
export function saidOf(node: ts.Node): string {
  return flat(
    ts
      .getJSDocCommentsAndTags(node)
      .map((part) => ts.getTextOfJSDocComment(part.comment) ?? "")
      .join(" "),
  );
}

function tagged(node: ts.Node, name: string): string[] {
  return ts
    .getJSDocTags(node)
    .filter((tag) => tag.tagName.text === name)
    .map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? "");
}

const flat = (text: string) =>
  text
    .replaceAll(/\{@link (\w+)\}/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();

function typesIn(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  const own = ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) ? [node.typeName.text] : [];
  const inner: string[] = [];
  node.forEachChild((child) => {
    inner.push(...typesIn(child));
  });
  return [...own, ...inner];
}
