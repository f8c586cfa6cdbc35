import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { folderPage, folderPagePolicy } from "./pages.ts";

describe("the folder's page", () => {
  const parts = (name: string) =>
    [...folderPage.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, text]) => text ?? "");
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

  it("runs the one program and style that its policy names", () => {
    expect(parts("script").map((text) => `script-src ${hash(text)}`)).toEqual([
      folderPagePolicy.split("; ").find((directive) => directive.startsWith("script-src")),
    ]);
    expect(parts("style").map((text) => `style-src ${hash(text)}`)).toEqual([
      folderPagePolicy.split("; ").find((directive) => directive.startsWith("style-src")),
    ]);
    expect(folderPagePolicy.split("; ").map((directive) => directive.split(" ")[0])).toEqual([
      "default-src",
      "script-src",
      "style-src",
      "base-uri",
      "form-action",
      "frame-ancestors",
      "require-trusted-types-for",
      "trusted-types",
      "connect-src",
    ]);
    expect(folderPagePolicy).not.toMatch(/unsafe|\*/);
  });

  it("has no handler in its markup, and makes none of a name", () => {
    expect(folderPage).not.toMatch(/ on[a-z]+=|innerHTML|insertAdjacent|document\.write|eval\(/);
  });

  it("fits into the text that holds it", () => {
    expect(folderPage).not.toContain("]==]");
  });
});
