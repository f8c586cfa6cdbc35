import { valueAt } from "@drawbridge-iac/manifests";
import type { Change } from "./change.ts";

/** One rule: one file, one test, one name under which its findings can be accepted. */
export interface Rule {
  readonly name: string;
  /** What the rule protects, for `--help` and the docs. */
  readonly protects: string;
  /** @param changes all of the preview, for what only several together tell; none by default */
  readonly check: (change: Change, changes?: readonly Change[]) => readonly string[];
}

/** Operations that delete or replace an object. */
const ending = new Set(["delete", "replace", "create-replacement", "delete-replaced", "discard-replaced"]);

export function isReplaced(change: Change): boolean {
  return ["replace", "create-replacement", "delete-replaced"].includes(change.op);
}

export function ends(change: Change): boolean {
  return ending.has(change.op);
}

/** `type`'s last part: `kubernetes:core/v1:Secret` is a `Secret`. */
export function kindOf(change: Change): string {
  return change.type.split(":").at(-1) ?? "";
}

/** Whether it belongs to a component of ours of this kind. */
export function belongsTo({ component }: Pick<Change, "component">, ...kinds: string[]): boolean {
  return kinds.some((kind) => component?.type === `drawbridge:index:${kind}`);
}

/** A value inside inputs by its path; undefined where the path ends early. */
export const at = (inputs: unknown, ...path: (string | number)[]) => valueAt(inputs, path);
