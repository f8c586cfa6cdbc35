/** The text of doc comments: of components, their outputs and const objects, which no row of arguments documents. */
import ts from "typescript";

/** What the documentation of a declaration says, links as plain words. */
export function saidOf(node: ts.Node): string {
  return flat(
    ts
      .getJSDocCommentsAndTags(node)
      .map((part) => ts.getTextOfJSDocComment(part.comment) ?? "")
      .join(" "),
  );
}

const flat = (text: string) =>
  text
    .replaceAll(/\{@link (\w+)\}/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
