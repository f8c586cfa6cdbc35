import { InvalidArgsError } from "@drawbridge-iac/drawbridge";
import { ArgsError, issuesOf } from "@drawbridge-iac/manifests";
import type { z } from "zod";
import { parsePath, showPath, type YamlPath } from "./paths.ts";
import type { StackFile } from "./stack-file.ts";

/** One fault of a stack's configuration. */
export interface Fault {
  /** From the configuration's key on: `["drawbridge:team", "containers", "dev1", "image"]`. */
  readonly path: YamlPath;
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
  return issuesOf(result.error).map(({ path, message }) => ({ path: place(parsePath(path)), message }));
}

/** All faults in one error, in the order of the file. A fault of the defaults comes once, not for each container. */
export function faulty(stack: string, faults: readonly Fault[], file: StackFile | undefined) {
  const located = faults.map(({ path, message }) => ({ path, message, line: file?.lineOf(path) }));
  located.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const issues = new Map(
    located.map(({ path, message, line }) => {
      const shown = `${showPath(path)}${line === undefined ? "" : ` (line ${line})`}`;
      return [`${shown}\n${message}`, { path: shown, message }];
    }),
  );
  return new InvalidArgsError(new ArgsError("stack", stack, [...issues.values()]));
}
