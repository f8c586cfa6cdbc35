/** What zod finds, as faults with our own words. */
import type { z } from "zod";
import { type Fault, listed, orMeant, type Problem } from "./fault.ts";
import { isDeferred } from "./input.ts";
import { nearest } from "./suggestion.ts";

/** A fault, with what tells whether others follow from it. */
interface Found {
  readonly fault: Fault;
  /** Whether the value is of another type, so that nothing more can be said of it. */
  readonly isType?: boolean;
  /** What a misspelt key was meant to set, which is not missing. */
  readonly meant?: readonly PropertyKey[];
}

const described: readonly unknown[] = ["invalid_type", "too_small", "invalid_value"];

/** How a schema is read whose faults are shown: without zod's own words where we have others. */
export const reading: z.core.ParseContext<z.core.$ZodIssue> = {
  reportInput: true,
  error: ({ code }) => (described.includes(code) ? "" : undefined),
};

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
    const first = fault.unknownKey !== undefined ? undefined : ofType.get(formatPath(fault.path));
    const follows = misspelt.some(
      (start) => start !== meant && start.every((part, at) => part === fault.path[at]),
    );
    return follows || (first !== undefined && first !== fault) ? [] : [fault];
  });
}

function foundIn(issue: z.core.$ZodIssue, path: readonly PropertyKey[], hidden: boolean): Found[] {
  const { input, message } = issue;
  const one = (problem: Problem): Found[] => [{ fault: { path, value: input, ...problem } }];
  const typed = (problem: Problem): Found[] => one(problem).map((found) => ({ ...found, isType: true }));
  switch (issue.code) {
    case "unrecognized_keys":
      // Where a group of arguments should be, an Output's own methods would read as unknown keys.
      return isDeferred(input) ? typed(tooLate) : unknownKeys(issue, path);
    case "invalid_key": {
      const [first] = issue.issues;
      return first === undefined ? [] : foundIn(first, path, hidden);
    }
    case "invalid_type":
      return typed(message === "" ? typeFault(issue, hidden) : { message });
    case "custom": {
      const problem: Problem | undefined = issue.params?.problem;
      if (problem === undefined) break;
      // Such a message is made of the value.
      return one(hidden ? { message: "is not valid" } : problem);
    }
    case "too_small":
      if (message !== "") break;
      return one({ message: "is empty; set at least one, or leave it out" });
    case "invalid_value": {
      if (message !== "") break;
      const allowed = issue.values.map(String);
      if (input === undefined) return one(missing(`one of ${listed(allowed)}`));
      const meant = typeof input === "string" ? nearest(input, allowed) : undefined;
      return one({ message: `{{value}} is not one of ${listed(allowed)}${orMeant(meant)}`, meant });
    }
  }
  return one({ message });
}

export const missing = (wanted: string): Problem => ({ message: `is missing; set it to ${wanted}` });

const tooLate: Problem = {
  message: "is an Output, whose value is known too late to decide which resources exist; set a plain value",
};

/** A fault for each key. The issue's message is the list of known keys, by schema.ts. */
function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, path: readonly PropertyKey[]): Found[] {
  const known = issue.message.split(", ");
  const given = (issue.input ?? {}) as object;
  return issue.keys.map((key) => {
    const meant = nearest(key, known);
    const message = `unknown key "${key}"${orMeant(meant, `; known: ${listed(known)}`)}`;
    return {
      fault: { path, message, unknownKey: key, meant },
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

function typeFault({ expected, input }: z.core.$ZodIssueInvalidType, isHidden: boolean): Problem {
  const wanted = wantedTypes[expected] ?? `a ${expected}`;
  if (input === undefined) return missing(wanted);
  if (input === null) return { message: `is empty; set it to ${wanted}, or leave it out` };
  if (isDeferred(input)) return tooLate;
  // YAML reads 4 and true as something else than text unless they are quoted.
  if (expected === "string" && (typeof input === "number" || typeof input === "boolean")) {
    return {
      message: isHidden
        ? "must be a string; put the value in quotes"
        : 'must be a string, not {{value}}; put it in quotes: "{{value}}"',
    };
  }
  const wants =
    expected === "array" ? "array" : ["object", "record"].includes(expected) ? "object" : undefined;
  if (isHidden) return { message: `must be ${wanted}`, wants };
  const isQuoted = typeof input === "string" && quotable[expected]?.test(input);
  return {
    message: isQuoted
      ? `must be ${wanted}, not the text {{value}}; remove the quotes`
      : `must be ${wanted}, not {{value}}`,
    wants,
  };
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
