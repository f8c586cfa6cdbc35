/** Leaf by leaf: what a builder makes, and what a preview shows. */
import { isUnknown, secretText } from "../placeholder.ts";
import { hiddenKind } from "./stand-in.ts";

/** A leaf that is not as it is made of the component's arguments. */
export interface Difference {
  /** `["spec", "template", "spec", "hostPID"]` */
  readonly at: readonly string[];
  /** Undefined where it is left out. */
  readonly shown: unknown;
}

/** @param isSecret whether it is a Secret, the one place for secrets, whose data previews hide as a whole */
export function differences(made: unknown, shown: unknown, isSecret: boolean): Difference[] {
  const found: Difference[] = [];
  walk(made, shown, []);
  return found;

  function walk(one: unknown, other: unknown, path: readonly string[]): void {
    if (one === other || isMasked(one, other, path)) return;
    const isLeaf = hiddenKind(one) !== undefined || Array.isArray(one) !== Array.isArray(other);
    if (isLeaf || !isTree(one) || !isTree(other)) {
      found.push({ at: path, shown: other });
      return;
    }
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      walk(one[key], other[key], [...path, key]);
  }

  function isMasked(one: unknown, other: unknown, path: readonly string[]): boolean {
    if (isSecret && path.length === 1 && path[0] === "data") return isMask(other);
    switch (hiddenKind(one)) {
      case "unknown":
        return isMask(other);
      case "secret":
        return isSecret && path[0] === "data" && typeof other === "string";
      case "derived":
        return typeof other === "string";
      default:
        return false;
    }
  }
}

const isMask = (value: unknown) => typeof value === "string" && (value === secretText || isUnknown(value));

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;
