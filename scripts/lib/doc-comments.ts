/** What doc comments say: of components, their outputs and const objects, which no row of arguments documents. */
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { plainWords } from "./argument-groups.ts";

/** What the documentation of a declaration says, links as plain words. */
function saidOf(node: ts.Node): string {
  const parts = ts.getJSDocCommentsAndTags(node).map((part) => ts.getTextOfJSDocComment(part.comment) ?? "");
  return plainWords(parts.join(" ")).replaceAll(/\s+/g, " ").trim();
}

const statementsIn = (pattern: string): ts.Statement[] =>
  globSync(pattern)
    .sort()
    .flatMap((file) => [
      ...ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true).statements,
    ]);

/** What is said of each exported interface and constant. */
export function descriptionsIn(pattern: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const statement of statementsIn(pattern)) {
    const [name] = ts.isInterfaceDeclaration(statement)
      ? [statement.name]
      : ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map((declaration) => declaration.name)
        : [];
    if (name !== undefined && ts.isIdentifier(name) && !found.has(name.text)) {
      found.set(name.text, saidOf(statement));
    }
  }
  return found;
}

export interface About {
  readonly text: string;
  /** Public outputs of a class: name, type, what. */
  readonly outputs: readonly (readonly [string, string, string])[];
}

/** What is said of each exported class. */
export function aboutClasses(pattern: string): ReadonlyMap<string, About> {
  const found = new Map<string, About>();
  for (const statement of statementsIn(pattern)) {
    if (ts.isClassDeclaration(statement) && statement.name !== undefined) {
      found.set(statement.name.text, { text: saidOf(statement), outputs: outputsOf(statement) });
    }
  }
  return found;
}

function outputsOf(declaration: ts.ClassDeclaration): [string, string, string][] {
  return declaration.members.flatMap((member): [string, string, string][] => {
    const named = ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member);
    if (!named || !ts.isIdentifier(member.name)) return [];
    if (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Static)) return [];
    return [[member.name.text, member.type?.getText() ?? "", saidOf(member)]];
  });
}
