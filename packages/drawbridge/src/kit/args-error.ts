/** The faults of arguments in one error, and arguments read by their schema. */
import { z } from "zod";
import { defaultNames } from "./default-name.ts";
import { type Fault, textOf } from "./fault.ts";
import { hinted } from "./hints.ts";
import { misplacedIn } from "./resource-argument.ts";
import { Secret } from "./secret.ts";
import { mayHoldSecrets, revealed, secretFaults, secretsIn, withSecrets } from "./secret-places.ts";
import { faultsIn, formatPath, reading } from "./zod-faults.ts";

/** One fault of a component's arguments. `path` is written as in code: `listeners.plain.port`, `keys[2]`. */
export interface ArgsIssue {
  readonly path: string;
  readonly message: string;
  /** A key that is not known there, perhaps to this version. */
  readonly unknownKey?: string | undefined;
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

/**
 * @param args may hold a `Secret`, which is refused where none may stand; a plain value in a secret row counts as one
 * @param logicalName the component's, which stands for a name that is left out
 */
export function readArgs<S extends z.ZodType>(
  schema: S,
  logicalName: string | undefined,
  args: unknown,
): ReadArgs<z.output<S>> {
  const marked = withSecrets(schema, args);
  const secrets = secretsIn(marked);
  const misplaced = misplacedIn(marked);
  const result = schema.safeParse(marked, reading);
  const found = (result.success ? [] : faultsIn(result.error))
    // What is wrong with a secret itself is said of its place, and of its value by its row.
    .filter(
      ({ path, value }) => !(value instanceof Secret) && !secrets.some((one) => isBelow(one.path, path)),
    )
    // Nor is more said of a resource than that it cannot stand there.
    .filter(({ path }) => !misplaced.some((one) => isWithin(one.path, path)))
    .map((fault) =>
      mayHoldSecrets(schema, fault.path) ? { ...fault, isSecret: true, value: undefined } : fault,
    );
  const faults = [
    ...found,
    ...misplaced.filter((one) => !found.some((other) => isUnknownKey(other, one))),
    ...secrets.flatMap((one) => secretFaults(schema, one)),
    ...defaultNameFaults(schema, logicalName, marked, found),
  ];
  return result.success && faults.length === 0
    ? { success: true, data: secrets.length === 0 ? result.data : (revealed(result.data) as z.output<S>) }
    : { success: false, faults: faults.map((fault) => hinted(schema, fault)) };
}

/** Whether the key is at fault under which it stands. */
const isUnknownKey = ({ path, unknownKey }: Fault, { path: below }: Fault) =>
  unknownKey !== undefined && below.length === path.length + 1 && isWithin([...path, unknownKey], below);

/** Whether a path leads to the top, or below it. */
const isWithin = (top: readonly PropertyKey[], path: readonly PropertyKey[]) =>
  top.every((part, index) => part === path[index]);

const isBelow = (top: readonly PropertyKey[], path: readonly PropertyKey[]) =>
  path.length > top.length && isWithin(top, path);

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
    found.some(({ path, meant }) => path[0] === field || (path.length === 0 && meant === field));
  const faults = Object.entries(schema.shape).flatMap(([field, own]): Fault[] => {
    const { from } = defaultNames.get(own) ?? {};
    if (from === undefined || given(field) !== undefined) return [];
    const other = from.find((one) => given(one) !== undefined);
    if ([field, ...from].some(isAtFault)) return [];
    const value = other === undefined ? logicalName : given(other);
    const result = typeof value === "string" ? own.safeParse(value, reading) : undefined;
    const [first] = result?.error === undefined ? [] : faultsIn(result.error);
    if (first === undefined) return [];
    const standIn = other ?? "the component's logical name";
    const message = `${textOf(first)}; ${field} is not set, and its default is ${standIn}`;
    return [{ path: [field], kind: "default-name", message }];
  });
  // A namespace takes its name from the other name, whose fault is said already.
  return faults.slice(0, 1);
}

/** The faults of a zod error, sorted by path, each once. */
export const issuesOf = (error: z.ZodError): ArgsIssue[] => issuesFrom(faultsIn(error));

/** Faults with their texts, sorted by path, each once. */
export function issuesFrom(faults: readonly Fault[]): ArgsIssue[] {
  const all = faults.map((one) => ({
    path: formatPath(one.path),
    message: textOf(one),
    unknownKey: one.unknownKey,
  }));
  const issues = new Map(all.map((issue) => [`${issue.path}\n${issue.message}`, issue]));
  return [...issues.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
