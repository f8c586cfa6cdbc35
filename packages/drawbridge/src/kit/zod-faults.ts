/** What zod finds, as faults with our own words. */
import type { z } from "zod";
import { type Code, type Fault, type Wrong, wrong } from "./fault.ts";
import { texts } from "./fault-texts.ts";
import { isDeferred } from "./placed.ts";
import { nearest } from "./suggestion.ts";

/** A fault, with what tells whether others follow from it. */
interface Found {
  readonly fault: Fault;
  /** Whether the value is of another type, so that nothing more can be said of it. */
  readonly isType?: boolean;
  /** What a misspelt key was meant to set, which is not missing. */
  readonly meant?: readonly PropertyKey[];
}

/**
 * The faults of a zod error. What only follows from another is left out: that what a misspelt key was meant to set is
 * missing, that a value of the wrong type is too short.
 * @param hidden whether values are not to be repeated
 */
export function faultsIn(error: z.ZodError, hidden = false): Fault[] {
  const found = error.issues.flatMap((issue) => foundIn(issue, issue.path, hidden));
  const ofType = new Map(
    found.flatMap(({ fault, isType }) => (isType ? [[formatPath(fault.path), fault]] : [])),
  );
  const misspelt = found.flatMap(({ meant }) => (meant === undefined ? [] : [meant]));
  return found.flatMap(({ fault, meant }) => {
    const first = fault.code === "unknown-key" ? undefined : ofType.get(formatPath(fault.path));
    const follows = misspelt.some(
      (start) => start !== meant && start.every((part, at) => part === fault.path[at]),
    );
    return follows || (first !== undefined && first !== fault) ? [] : [fault];
  });
}

function foundIn(issue: z.core.$ZodIssue, path: readonly PropertyKey[], hidden: boolean): Found[] {
  const { input } = issue;
  const one = (what: Wrong): Found[] => [
    { fault: { path, ...what, params: { value: input, ...what.params } } },
  ];
  const typed = (what: Wrong): Found[] => one(what).map((found) => ({ ...found, isType: true }));
  switch (issue.code) {
    case "unrecognized_keys":
      // Where a group of arguments should be, an Output's own methods would read as unknown keys.
      return isDeferred(input) ? typed(wrong("output-too-late")) : unknownKeys(issue, path);
    case "invalid_key": {
      const [first] = issue.issues;
      return first === undefined ? [] : foundIn(first, path, hidden);
    }
    case "invalid_type": {
      return typed(isCode(issue.message) ? { code: issue.message, params: {} } : typeFault(issue, hidden));
    }
    case "too_small":
      if (isCode(issue.message)) break;
      return one(wrong("is-empty"));
    case "custom": {
      const found: Wrong | undefined = issue.params?.wrong;
      if (found !== undefined) return one(found);
      break;
    }
    case "invalid_value": {
      if (isCode(issue.message)) break;
      const allowed = issue.values.map(String);
      if (input === undefined) return one(wrong("missing", { wanted: `one of ${allowed.join(", ")}` }));
      const meant = typeof input === "string" ? nearest(input, allowed) : undefined;
      return one(wrong("not-one-of", { allowed, meant }));
    }
  }
  const { message } = issue;
  return one(isCode(message) ? { code: message, params: {} } : wrong("invalid", { message }));
}

const isCode = (text: string): text is Code => Object.hasOwn(texts, text);

/** A fault for each key. The issue's message is the list of known keys, by schema.ts. */
function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, path: readonly PropertyKey[]): Found[] {
  const known = issue.message.split(", ");
  const given = (issue.input ?? {}) as object;
  return issue.keys.map((key) => {
    const meant = nearest(key, known);
    return {
      fault: { path, ...wrong("unknown-key", { key, known, meant }) },
      ...(meant === undefined || Object.hasOwn(given, meant) ? {} : { meant: [...path, meant] }),
    };
  });
}

/** `["a", 0, "b.c"]` becomes `a[0]["b.c"]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      const text = String(part);
      if (/^[A-Za-z_$][\w$]*$/.test(text)) return index === 0 ? text : `.${text}`;
      return `[${JSON.stringify(text)}]`;
    })
    .join("");
}

function typeFault({ expected, input }: z.core.$ZodIssueInvalidType, isHidden: boolean): Wrong {
  const wanted = wantedTypes[expected] ?? `a ${expected}`;
  if (input === undefined) return wrong("missing", { wanted });
  if (input === null) return wrong("empty", { wanted });
  if (isDeferred(input)) return wrong("output-too-late");
  // YAML reads 4 and true as something else than text unless they are quoted.
  if (expected === "string" && (typeof input === "number" || typeof input === "boolean")) {
    return wrong(isHidden ? "secret-without-quotes" : "text-without-quotes");
  }
  const isQuoted = typeof input === "string" && quotable[expected]?.test(input);
  if (isQuoted && !isHidden) return wrong("number-in-quotes", { wanted });
  return wrong(isHidden ? "wrong-type-of-secret" : "wrong-type", { wanted });
}

/** Text that would be a value of the type without its quotes. */
const quotable: Readonly<Record<string, RegExp>> = {
  boolean: /^(true|false)$/,
  int: /^\d+$/,
  number: /^\d+$/,
};

const wantedTypes: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a whole number",
  object: "an object",
  record: "an object",
  string: "a string",
};
