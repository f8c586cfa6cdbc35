import type { z } from "zod";
import { ArgsError, type ArgsIssue, readArgs } from "../kit/args-error.ts";
import { type Problem, textOf } from "../kit/fault.ts";
import type { StackFile } from "./stack-file.ts";
import { showPath, type YamlPath } from "./yaml.ts";

/** One fault of a stack's configuration. */
export interface StackFault extends Problem {
  /** From the configuration's key on: `["drawbridge:team", "containers", "dev1", "image"]`. */
  readonly path: YamlPath;
}

/** What a reader of a file finds: the stack, which is valid if there are no faults. */
export interface Reading<T> {
  readonly stack: T;
  readonly faults: readonly StackFault[];
}

/**
 * The faults that a schema finds.
 * @param place says where in the file a value of the checked arguments is
 * @param logicalName the component's, where the schema is one's; undefined where that is at fault itself
 */
export function faultsOf<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: (path: YamlPath) => YamlPath,
  logicalName?: string,
): StackFault[] {
  const read = readArgs(schema, logicalName, value);
  if (read.success) return [];
  return read.faults.map((fault) => {
    const path = fault.path as YamlPath;
    const key = fault.unknownKey;
    // The key says whether it was written in the thing itself or in its defaults.
    return { ...fault, path: key === undefined ? place(path) : place([...path, key]).slice(0, -1) };
  });
}

/** The faults of a file's own rows. Where secrets may stand in all of it, secrets.ts says. */
export function fileFaults(schema: z.ZodType, value: unknown, key: string): StackFault[] {
  return faultsOf(schema, value, (path) => [key, ...path]).filter(({ kind }) => kind !== "exposed");
}

/** A fault as it is shown: its path as text, and the line of the file on which to mend it. */
export interface LocatedFault extends ArgsIssue {
  readonly line: number | undefined;
}

/** The faults in the order of the file. A fault of the defaults comes once, not for each container. */
export function located(faults: readonly StackFault[], file: StackFile | undefined): LocatedFault[] {
  const found = faults.map((fault) => {
    const { path, unknownKey } = fault;
    // Such a key stands below the fault's path, and on the line to mend.
    const line = file?.lineOf(unknownKey === undefined ? path : [...path, unknownKey]);
    return { path: showPath(path), line, message: textOf(fault) };
  });
  const once = new Map(found.map((fault) => [`${fault.path}\n${fault.message}`, fault]));
  return [...once.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** A fault of the whole file, or of a part of its text. */
export const yamlFault = (message: string, line?: number): LocatedFault => ({
  path: "(YAML)",
  line,
  message,
});

/** All faults of a stack's configuration in one error. */
export function stackError(stack: string, faults: readonly LocatedFault[]): ArgsError {
  const issues = faults.map(({ path, line, message }) => ({
    path: line === undefined ? path : `${path} (line ${line})`,
    message,
  }));
  return new ArgsError("stack", stack, issues);
}
