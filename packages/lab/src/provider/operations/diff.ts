import { isDeepStrictEqual } from "node:util";
import { AUTONAMED, isAnnotated } from "../kinds/annotations.ts";
import { forceNewPaths, forcesNew } from "../kinds/force-new.ts";
import { normalized } from "../kinds/normalize.ts";
import { parseTypeToken } from "../kinds/type-token.ts";
import type { Provider } from "../provider.ts";
import { isWithin, type Path, parsePath, printPath } from "../values/paths.ts";
import { isMap, mapOf, reveal, UNKNOWN, type Value, type ValueMap } from "../values/property.ts";
import { readOutputs } from "./manifest.ts";

export interface DiffRequest {
  readonly type: string;
  /** Outputs of the last create, update or refresh. */
  readonly olds: ValueMap;
  readonly news: ValueMap;
  /** Paths whose changes the program wants left alone. */
  readonly ignoreChanges: readonly string[];
}

/** One difference between two values. */
export interface Difference {
  readonly path: Path;
  readonly kind: "add" | "delete" | "update";
}

export interface Change {
  /** In Pulumi's notation. */
  readonly path: string;
  readonly kind: Difference["kind"];
  /** Whether this change alone means a new object. */
  readonly replaces: boolean;
}

export interface DiffResult {
  readonly changes: readonly Change[];
  /** Whether the old object must go first, because the new one has its name. */
  readonly deleteBeforeReplace: boolean;
}

/**
 * What an update would change, and which of it means a new object. As with the official provider, the object is
 * compared as the cluster had it when it was last looked at, as far as the program spoke of it then.
 */
export function diff(provider: Pick<Provider, "settings">, request: DiffRequest): DiffResult {
  const kind = parseTypeToken(request.type);
  const old = readOutputs(reveal(request.olds) as ValueMap);
  const before = placed(mapOf(pruned(old.live, normalized(old.inputs, kind))));
  const after = placed(normalized(reveal(request.news) as ValueMap, kind));
  const ignored = request.ignoreChanges.map(parsePath);
  const forceNew = forceNewPaths(kind, after, provider.settings.mutability);
  const changes = compare(before, after)
    .filter(({ path }) => !ignored.some((prefix) => isWithin(path, prefix)))
    .map(({ path, kind }) => ({
      path: printPath(path),
      kind,
      replaces: forcesNew(path, before, after, forceNew),
    }));
  const replaces = changes.some((change) => change.replaces);
  return { changes, deleteBeforeReplace: replaces && takesSameName(before, after) };
}

/** The smallest differences between two values without secret marks. A value not known yet differs from everything. */
export function compare(before: Value | undefined, after: Value | undefined, path: Path = []): Difference[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return [{ path, kind: "add" }];
  if (after === undefined) return [{ path, kind: "delete" }];
  if (isMap(before) && isMap(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => compare(before[key], after[key], [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      compare(before[index], after[index], [...path, index]),
    ).flat();
  }
  return after !== UNKNOWN && isDeepStrictEqual(before, after) ? [] : [{ path, kind: "update" }];
}

/**
 * The part of what the cluster has that the inputs speak of. What they set to nothing (false, 0, "") the API server
 * leaves out, so that it is there all the same.
 */
export function pruned(live: Value, inputs: Value): Value {
  if (isMap(live) && isMap(inputs)) {
    const entries = Object.entries(inputs).map(([key, input]): [string, Value | undefined] => {
      const found = live[key];
      if (found === undefined || found === null) return [key, input ? undefined : input];
      return [key, pruned(found, input)];
    });
    return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== undefined));
  }
  if (Array.isArray(live) && Array.isArray(inputs)) {
    return live.slice(0, inputs.length).map((item, index) => pruned(item, inputs[index]!));
  }
  return live;
}

/** No namespace and "default" are the same place. */
function placed(object: ValueMap): ValueMap {
  if (object.metadata === UNKNOWN) return object;
  return { ...object, metadata: { namespace: "default", ...mapOf(object.metadata) } };
}

function takesSameName(before: ValueMap, after: ValueMap): boolean {
  if (isAnnotated(after, AUTONAMED)) return false;
  const [old, new_] = [mapOf(before.metadata), mapOf(after.metadata)];
  return new_.name !== UNKNOWN && new_.name === old.name && new_.namespace === old.namespace;
}
