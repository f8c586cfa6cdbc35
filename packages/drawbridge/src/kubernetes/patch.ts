/** Patches: plain data that is merged into an object, where the component promises nothing of its own. */
import { z } from "zod";
import { isPlainObject, type RaiseFault } from "../kit/schema.ts";
import type { Kind } from "./kinds.ts";
import { prefix } from "./labels.ts";
import type { Manifest } from "./manifest.ts";

export type Patch = Readonly<Record<string, unknown>>;

export const patchSchema = z.record(z.string(), z.unknown()).optional();

/**
 * The paths below which a patch may write, written `spec.template.spec.containers.dev.tty`: an item of a list by its name.
 * Everything else is refused, so what a component promises holds for whatever is merged.
 */
export type OpenPaths = readonly string[];

// The labels of objectLabels, and two annotations of Pulumi's: whether it waits (an argument says so), and how it deletes.
const ownLabels =
  /^(app\.kubernetes\.io\/(component|instance|name|managed-by|part-of)|pulumi\.com\/(skipAwait|deletionPropagationPolicy))$/;

/** Whether a label or an annotation is drawbridge's own, which nobody else may set. */
export function isOwnKey(key: string): boolean {
  return ownLabels.test(key) || key.startsWith(`${prefix}/`);
}

/** Raises a fault at `path` for each field of the patch that is not open. */
export function checkPatch(
  path: readonly PropertyKey[],
  patch: Patch | undefined,
  open: OpenPaths,
  fault: RaiseFault,
): void {
  walk(patch ?? {}, [], [...path]);

  function walk(value: unknown, at: readonly string[], place: PropertyKey[]): void {
    if (isOpen(at)) return;
    if (isPlainObject(value)) {
      const entries = Object.entries(value);
      for (const [key, inner] of entries) walk(inner, [...at, key], [...place, key]);
      if (entries.length > 0) return;
    } else if (Array.isArray(value) && value.length > 0 && value.every(isNamed)) {
      for (const [index, inner] of value.entries()) {
        const { name, ...fields } = inner;
        walk(fields, [...at, name], [...place, index]);
      }
      return;
    }
    if (at.length > 0)
      fault`${place}: cannot be set by a patch; open here: ${["metadata.labels", "metadata.annotations", ...open]}`;
  }

  function isOpen(at: readonly string[]): boolean {
    const [first, second, key] = at;
    if (first === "metadata" && (second === "labels" || second === "annotations")) {
      return key !== undefined && !isOwnKey(key);
    }
    // A key or name with a dot is one part of a path, not several.
    return !at.some((part) => part.includes(".")) && open.includes(at.join("."));
  }
}

interface Named {
  readonly name: string;
}

function isNamed(value: unknown): value is Named {
  return isPlainObject(value) && typeof value.name === "string";
}

/**
 * The object with the patch merged into it, key by key. As in Kubernetes' strategic merge, lists whose items all have a
 * `name` are merged by it; other lists are replaced, and null removes a field.
 */
export function patched<K extends Kind>(manifest: Manifest<K>, patch: Patch | undefined): Manifest<K> {
  return patch === undefined ? manifest : (merged(manifest, patch) as Manifest<K>);
}

function merged(value: unknown, patch: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(patch) && [...value, ...patch].every(isNamed)) {
    const [items, patches] = [value as Named[], patch as Named[]];
    const namesake = (list: readonly Named[], { name }: Named) => list.find((one) => one.name === name);
    const changed = items.map((item) => merged(item, namesake(patches, item)));
    return [...changed, ...patches.filter((item) => namesake(items, item) === undefined)];
  }
  if (patch === undefined) return value;
  if (!isPlainObject(patch)) return patch;
  const below = isPlainObject(value) ? value : {};
  const left = Object.entries(below).filter(([key]) => !Object.hasOwn(patch, key));
  const set = Object.entries(patch).filter(([, inner]) => inner !== null);
  return Object.fromEntries([...left, ...set.map(([key, inner]) => [key, merged(below[key], inner)])]);
}
