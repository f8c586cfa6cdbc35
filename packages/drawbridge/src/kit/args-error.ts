import { z } from "zod";
import { defaultNames } from "./default-name.ts";
import { type Code, type Fault, textOf, type Wrong, wrong } from "./fault.ts";
import { texts } from "./fault-texts.ts";
import { isDeferred } from "./placed.ts";
import { nearest } from "./suggestion.ts";

/** One fault of a component's arguments. `path` is written as in code: `listeners.plain.port`, `keys[2]`. */
export interface ArgsIssue {
  readonly path: string;
  readonly code: Code;
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
  const read = readArgs(schema, instance, args ?? {});
  if (read.success) return read.data;
  throw new ArgsError(component, instance, issuesFrom(read.faults));
}

/** Arguments as their schema reads them, or every fault of theirs. */
type ReadArgs<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly faults: readonly Fault[] };

/** @param logicalName the component's, which stands for a name that is left out */
export function readArgs<S extends z.ZodType>(
  schema: S,
  logicalName: string | undefined,
  args: unknown,
): ReadArgs<z.output<S>> {
  const result = schema.safeParse(args, { reportInput: true });
  const found = result.success ? [] : faultsIn(result.error);
  const faults = [...found, ...defaultNameFaults(schema, logicalName, args, found)];
  return result.success && faults.length === 0
    ? { success: true, data: result.data }
    : { success: false, faults };
}

/** The fault of what stands for a name that is left out, unless it follows from one that was found. */
function defaultNameFaults(
  schema: z.ZodType,
  logicalName: string | undefined,
  args: unknown,
  found: readonly Fault[],
): Fault[] {
  if (!(schema instanceof z.ZodObject) || typeof args !== "object" || args === null) return [];
  const given = (field: string): unknown => Reflect.get(args, field);
  const isAtFault = (field: string) =>
    found.some(({ path, params }) => path[0] === field || (path.length === 0 && params.meant === field));
  const faults = Object.entries(schema.shape).flatMap(([field, own]): Fault[] => {
    const { from } = defaultNames.get(own) ?? {};
    if (from === undefined || given(field) !== undefined) return [];
    const other = from.find((one) => given(one) !== undefined);
    if ([field, ...from].some(isAtFault)) return [];
    const value = other === undefined ? logicalName : given(other);
    const result = typeof value === "string" ? own.safeParse(value, { reportInput: true }) : undefined;
    const [first] = result?.error === undefined ? [] : faultsIn(result.error);
    if (first === undefined) return [];
    const standIn = other ?? "the component's logical name";
    return [{ path: [field], ...wrong("default-name", { standIn, field, fault: textOf(first) }) }];
  });
  // A namespace takes its name from the other name, whose fault is said already.
  return faults.slice(0, 1);
}

/** The faults of a zod error, sorted by path, each once. */
export const issuesOf = (error: z.ZodError): ArgsIssue[] => issuesFrom(faultsIn(error));

/** Faults with their texts, sorted by path, each once. */
export function issuesFrom(faults: readonly Fault[]): ArgsIssue[] {
  const all = faults.map((one) => ({ path: formatPath(one.path), code: one.code, message: textOf(one) }));
  const issues = new Map(all.map((issue) => [`${issue.path}\n${issue.message}`, issue]));
  return [...issues.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

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
      const isHidden = hidden || secretField.test(String(path.at(-1) ?? ""));
      return typed(isCode(issue.message) ? { code: issue.message, params: {} } : typeFault(issue, isHidden));
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

// A field with one of these names may hold a secret, so a value of the wrong type is not repeated.
const secretField = /(seed|key|token|password|secret|credential)s?$/i;

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
