import type { z } from "zod";
import { isDeferred } from "./placed.ts";

/** One fault of a component's arguments. `path` is written as in code: `listeners.plain.port`, `keys[2]`. */
export interface ArgsIssue {
  readonly path: string;
  readonly message: string;
}

/** Every fault of one component's arguments, thrown before the component registers anything. */
export class ArgsError extends Error {
  override readonly name = "ArgsError";
  readonly component: string;
  readonly instance: string;
  readonly issues: readonly ArgsIssue[];

  /** @param outcome what became of the component */
  constructor(
    component: string,
    instance: string,
    issues: readonly ArgsIssue[],
    outcome = "nothing was created",
  ) {
    const count = issues.length === 1 ? "1 fault" : `${issues.length} faults`;
    const lines = issues.map(
      (issue) => `  - ${issue.path === "" ? "(arguments)" : issue.path}: ${issue.message}`,
    );
    super([`${component} "${instance}": ${count} in its arguments, ${outcome}:`, ...lines].join("\n"));
    this.component = component;
    this.instance = instance;
    this.issues = issues;
  }
}

/** Checks `args` against `schema`; returns the parsed value or throws an ArgsError with every fault. */
export function parseArgs<S extends z.ZodType>(
  component: string,
  instance: string,
  schema: S,
  args: unknown,
): z.output<S> {
  const result = schema.safeParse(args ?? {}, { reportInput: true });
  if (result.success) return result.data;
  throw new ArgsError(component, instance, issuesOf(result.error));
}

/** The faults of a zod error in the order of their paths, each once. */
export function issuesOf(error: z.ZodError): ArgsIssue[] {
  const issues = new Map(
    foundIn(error).map(({ path, message }) => {
      const issue = { path: formatPath(path), message };
      return [`${issue.path}\n${message}`, issue];
    }),
  );
  return [...issues.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** One fault with its place as data. */
export interface FoundFault {
  readonly path: readonly PropertyKey[];
  /** The key below `path` that nobody knows. */
  readonly unknownKey?: string;
  readonly message: string;
}

/** The faults of a zod error. What only follows from a misspelt key, that the right one is missing, is left out. */
export function foundIn(error: z.ZodError): FoundFault[] {
  const faults = error.issues.flatMap(expanded);
  const misspelt = error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [];
    const meant = expanded(issue).flatMap(
      ({ message }) => /; did you mean "(.*)"\?$/.exec(message)?.[1] ?? [],
    );
    const isGiven = (key: string) => Object.hasOwn((issue.input ?? {}) as object, key);
    return meant.filter((key) => !isGiven(key)).map((key) => [...issue.path, key]);
  });
  // Of a value of the wrong type, its length and pattern say nothing more.
  const mistyped = new Map(
    error.issues.flatMap((issue) =>
      isTypeIssue(issue) || isOutput(issue) ? [[formatPath(issue.path), describe(issue)]] : [],
    ),
  );
  return faults.filter(({ path, message, unknownKey }) => {
    const ofType = unknownKey === undefined ? mistyped.get(formatPath(path)) : undefined;
    if (ofType !== undefined && ofType !== message) return false;
    return !misspelt.some((start) => start.every((part, at) => part === path[at]));
  });
}

/** Unknown keys each for itself; a record's bad key with what is wrong with it. */
function expanded(issue: z.core.$ZodIssue): FoundFault[] {
  const { path } = issue;
  if (isOutput(issue)) return [{ path, message: tooLate }];
  if (issue.code === "unrecognized_keys") {
    const messages = issue.message.split("\n");
    return issue.keys.map((unknownKey, index) => ({
      path,
      unknownKey,
      message: messages[index] ?? issue.message,
    }));
  }
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? issue.message }];
  return [{ path, message: describe(issue) }];
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

// A field with one of these names may hold a secret, so its value is never repeated in a message.
const secretField = /(seed|key|token|password|secret|credential)s?$/i;

function isTypeIssue(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueInvalidType {
  return issue.code === "invalid_type";
}

/** Where a group of arguments should be; its own methods would read as unknown keys. */
function isOutput(issue: z.core.$ZodIssue): boolean {
  return issue.code === "unrecognized_keys" && isDeferred(issue.input);
}

function describe(issue: z.core.$ZodIssue): string {
  if (isOutput(issue)) return tooLate;
  if (!isTypeIssue(issue)) return issue.message;
  // A schema's own words are about values that are there.
  const isThere = issue.input !== undefined && issue.input !== null;
  if (isThere ? !/^Invalid input/.test(issue.message) : /^is missing/.test(issue.message))
    return issue.message;
  return describeType(issue, !secretField.test(String(issue.path.at(-1) ?? "")));
}

// The commonest is `namespace: ns.metadata.name`.
const tooLate =
  'is an Output, which is known too late, because this decides what is made; write the value itself, as in namespace: "team-a", and say what it waits for in the options: { dependsOn: ns }';

/** What is wrong with a value of the wrong type. @param show whether the value may be repeated */
export function describeType({ expected, input }: z.core.$ZodIssueInvalidType, show: boolean): string {
  const wanted = wantedTypes[expected] ?? `a ${expected}`;
  if (input === undefined) return `is missing; give ${wanted}`;
  if (input === null) return `is empty; give ${wanted}, or leave it out`;
  if (isDeferred(input)) return tooLate;
  if (!show) return `must be ${wanted}${isUnquoted(expected, input) ? "; put the value in quotes" : ""}`;
  return expected === "string" ? notText(input) : `must be ${wanted}, not ${showValue(input)}`;
}

const isUnquoted = (expected: string, input: unknown) =>
  expected === "string" && (typeof input === "number" || typeof input === "boolean");

const wantedTypes: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

/** What to say of a value that should be text. YAML reads 4 and true as something else unless they are quoted. */
export function notText(value: unknown): string {
  if (value === null) return "is empty; give a string, or leave it out";
  if (isDeferred(value)) return tooLate;
  const quoted =
    typeof value === "number" || typeof value === "boolean" ? `; put it in quotes: "${value}"` : "";
  return `must be a string, not ${showValue(value)}${quoted}`;
}

/** A value as it is shown in a message: JSON, cut at 80 characters. */
export function showValue(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (isDeferred(value)) return "an Output";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
