import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listed, orMeant, textOf } from "./fault.ts";

const source = join(import.meta.dirname, "..");
const sources = globSync("**/*.ts", { cwd: source })
  .filter((file) => !/\.(test|fixture)\.ts$|^generated\//.test(file))
  .map((file) => readFileSync(join(source, file), "utf8"));

it("a message names things and not people, in a sentence that goes on after a path", () => {
  const messages = sources.flatMap((text) =>
    [...text.matchAll(/\bfault(?:\.as\([^)]*\))?`[^`]*?: ([^`]+)`/g)].map(([, message]) => message),
  );
  expect(messages.length).toBeGreaterThan(120);
  const odd =
    /\b(nobody|somebody|whoever|who|whom|is no|are no|of ours)\b|[.!]$|\s{2}|^[A-Z][a-z]+ (is|has)\b/;
  expect(messages.filter((message = "") => odd.test(message))).toEqual([]);
});

it("a message ends with what was meant, or with what is known", () => {
  expect(orMeant("name", "; known: a")).toBe('; did you mean "name"?');
  expect([orMeant(undefined, "; known: a"), orMeant(undefined)]).toEqual(["; known: a", ""]);
  expect([listed([]), listed(["a", "b"])]).toEqual(["none", "a, b"]);
});

it("a value is shown as JSON, unless it is secret, and nothing in it is taken for a place", () => {
  const problem = { message: "{{value}} is not a port" };
  expect(textOf({ ...problem, value: "{{value}}" })).toBe('"{{value}}" is not a port');
  expect(textOf({ ...problem, value: "hunter2", isSecret: true })).toBe("(secret) is not a port");
});
