import type { z } from "zod";
import { ArgsError, foundIn } from "../common/args-error.ts";
import { showPath, type YamlPath } from "./paths.ts";
import type { StackFile } from "./stack-file.ts";

/** One fault of a stack's configuration. */
export interface Fault {
  /** From the configuration's key on: `["drawbridge:team", "containers", "dev1", "image"]`. */
  readonly path: YamlPath;
  /** The key below `path` that is at fault itself; the fault's line is where it stands. */
  readonly key?: string;
  readonly message: string;
}

/** What a reader of a file finds: the stack, which is right if there are no faults. */
export interface Reading<T> {
  readonly stack: T;
  readonly faults: readonly Fault[];
}

/** What a schema has to say, `place` telling where in the file a value of the checked arguments stands. */
export function faultsOf<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: (path: YamlPath) => YamlPath,
): Fault[] {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return [];
  return foundIn(result.error).map(({ path, unknownKey: key, message }) => {
    if (key === undefined) return { path: place(path as YamlPath), message };
    // The key says whether it was written in the thing itself or in its defaults.
    return { path: place([...(path as YamlPath), key]).slice(0, -1), key, message };
  });
}

/** A fault as it is shown: its path as text, and the line of the file on which to mend it. */
export interface LocatedFault {
  readonly path: string;
  readonly line: number | undefined;
  readonly message: string;
}

/** The faults in the order of the file. A fault of the defaults comes once, not for each container. */
export function located(faults: readonly Fault[], file: StackFile | undefined): LocatedFault[] {
  const found = faults.map(({ path, key, message }) => ({
    path: showPath(path),
    line: file?.lineOf(key === undefined ? path : [...path, key]),
    message,
  }));
  const once = new Map(found.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  return [...once.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** All faults of a stack's configuration in one error. */
export function stackError(stack: string, faults: readonly LocatedFault[]): ArgsError {
  const issues = faults.map(({ path, line, message }) => ({
    path: line === undefined ? path : `${path} (line ${line})`,
    message,
  }));
  return new ArgsError("stack", stack, issues);
}
