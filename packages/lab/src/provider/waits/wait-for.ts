import { type KubeObject, stringAt } from "../kubernetes/object.ts";
import type { Json } from "../values/property.ts";
import { parseJsonPath } from "./json-path.ts";
import { condition, reasonOf, type Verdict } from "./verdict.ts";

/**
 * Reads the annotation `pulumi.com/waitFor`: `condition=Type`, `condition=Type=Status`, `jsonpath={.a.b}`,
 * `jsonpath={.a.b}=value`, or a JSON list of those, all of which must hold.
 */
export function parseWaitFor(annotation: string): (object: KubeObject) => Verdict {
  const conditions = list(annotation).map(parseOne);
  return (object) =>
    conditions.map((holds) => holds(object)).find(({ is }) => is !== "ready") ?? { is: "ready" };
}

function list(annotation: string): string[] {
  if (!annotation.trimStart().startsWith("[")) return [annotation];
  const parsed = JSON.parse(annotation) as unknown;
  if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((part) => typeof part === "string"))
    return parsed;
  throw new Error(
    `pulumi.com/waitFor is ${annotation}; a list must hold at least one text and nothing else.`,
  );
}

function parseOne(expression: string): (object: KubeObject) => Verdict {
  const waiting: Verdict = { is: "waiting", for: expression };
  const [, kind, rest] = /^(condition|jsonpath)=(.+)$/s.exec(expression) ?? [];
  if (kind === "condition") {
    const [type, status = "True"] = rest!.split("=");
    return (object) => {
      const found = condition(object, type!);
      if (stringAt(found, "status")?.toLowerCase() === status.toLowerCase()) return { is: "ready" };
      const why = reasonOf(found);
      return why === "" ? waiting : { is: "waiting", for: `${expression} (${why})` };
    };
  }
  if (kind === "jsonpath") {
    const [, path, wanted] = /^(\{[^}]*\}|[^=]+)(?:=(.*))?$/s.exec(rest!) ?? [];
    const read = parseJsonPath(path ?? rest!);
    return (object) => {
      const values = read(object);
      const holds =
        wanted === undefined
          ? values.length > 0
          : values.length > 0 && values.every((value) => text(value) === wanted);
      return holds ? { is: "ready" } : waiting;
    };
  }
  throw new Error(`pulumi.com/waitFor is "${expression}"; it must begin with "condition=" or "jsonpath=".`);
}

function text(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
