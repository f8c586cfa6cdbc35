import ts from "typescript";
import { expect, it } from "vitest";
import { deferredUses } from "./deferred-uses.ts";

const head = `
interface Later<T> { apply<U>(func: (value: T) => U): unknown }
type Placed<T> = T | PromiseLike<T> | Later<T>;
declare function text(parts: TemplateStringsArray, ...values: Placed<string>[]): Placed<string>;
declare function hashOf(value: unknown): string;
declare const label: Placed<string>;
declare const on: Placed<boolean>;
declare const maybe: Placed<string> | undefined;
declare const lifted: Placed<string | undefined>;
declare const list: Placed<string>[];
declare const plain: string | undefined;
declare const nested: { readonly at: { readonly name: Placed<string> } };
`;

const host = ts.createCompilerHost({});
/** TypeScript's own types, read once for all programs. */
const libraries = new Map<string, ts.SourceFile | undefined>();
function library(path: string): ts.SourceFile | undefined {
  if (!libraries.has(path)) libraries.set(path, host.getSourceFile(path, ts.ScriptTarget.ESNext));
  return libraries.get(path);
}

/** What is found in one line of a program. */
function found(line: string): string[] {
  const file = "/program.ts";
  const source = ts.createSourceFile(file, `${head}${line}`, ts.ScriptTarget.ESNext, true);
  const program = ts.createProgram(
    [file],
    { target: ts.ScriptTarget.ESNext, strict: true, types: [] },
    { ...host, getSourceFile: (path) => (path === file ? source : library(path)) },
  );
  return deferredUses(program, (path) => path === file).map(
    (fault) => /: (.*?) over/.exec(fault)?.[1] ?? fault,
  );
}

it.each([
  ["const a = `x/${label}`;", "a template"],
  ["const a = label === 'x';", "a comparison"],
  ["const a = label !== plain;", "a comparison"],
  ["const a = label + 'x';", "a comparison"],
  ["const a = on ? 1 : 2;", "truth"],
  ["if (on) hashOf(1);", "truth"],
  ["const a = !on;", "truth"],
  ["const a = on && 1;", "truth"],
  ["const a = lifted ?? 'x';", "??"],
  ["const a = JSON.stringify(nested);", "JSON.stringify"],
  ["const a = hashOf([label]);", "hashOf"],
  ["const a = list.join();", "list.join"],
  ["const a = new Set(list);", "Set"],
  [
    "const a = { [label as never as Placed<string> & string]: 1, ...(label as object & Later<string>) };",
    "a spread",
  ],
])("%s", (line, what) => {
  expect(found(line)).toContain(what);
});

it.each([
  "const a = text`x/${label}`;",
  "const a = label === undefined;",
  "const a = maybe ?? 'x';",
  "const a = [label, ...list];",
  "const a = `x/${plain}`;",
  "const a = plain === 'x' ? label : undefined;",
  "const a = JSON.stringify({ plain });",
])("%s is fine", (line) => {
  expect(found(line)).toEqual([]);
});
