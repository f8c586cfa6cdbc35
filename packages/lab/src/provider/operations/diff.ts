import { AUTONAMED, annotationOf } from "../kinds/annotations.ts";
import { forceNewPaths, forcesNew } from "../kinds/force-new.ts";
import { normalized } from "../kinds/secret-data.ts";
import { parseTypeToken } from "../kinds/type-token.ts";
import type { Provider } from "../provider.ts";
import { isWithin, type Path, parsePath, printPath } from "../values/paths.ts";
import { mapOf, reveal, UNKNOWN, type ValueMap } from "../values/property.ts";
import { compare, type Difference } from "./compare.ts";

export interface DiffRequest {
  readonly type: string;
  /** Inputs of the last update, or as the last refresh found them. */
  readonly oldInputs: ValueMap;
  readonly news: ValueMap;
  /** Paths whose changes the program wants left alone. */
  readonly ignoreChanges: readonly string[];
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

/** What an update would change, and which of it means a new object. */
export function diff(provider: Pick<Provider, "settings">, request: DiffRequest): DiffResult {
  const kind = parseTypeToken(request.type);
  const before = comparable(request.oldInputs);
  const after = comparable(request.news);
  const ignored = request.ignoreChanges.map(parsePath);
  const forceNew = forceNewPaths(kind, after, provider.settings.mutability);
  const changes = compare(before, after)
    .map((difference) => ({ ...difference, written: asWritten(difference.path, request) }))
    .filter(
      ({ path, written }) => !ignored.some((prefix) => isWithin(path, prefix) || isWithin(written, prefix)),
    )
    .map((difference) => ({
      path: printPath(difference.written),
      kind: difference.kind,
      replaces: forcesNew(difference.path, before, after, forceNew),
    }));
  return {
    changes,
    deleteBeforeReplace: changes.some(({ replaces }) => replaces) && takesSameName(before, after),
  };
}

const SERVER_SET = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "uid",
]);

/** Inputs in the one form in which equal meaning is equal text. */
function comparable(inputs: ValueMap): ValueMap {
  const plain = normalized(reveal(inputs) as ValueMap);
  if (plain.metadata === UNKNOWN) return plain;
  const own = Object.entries(mapOf(plain.metadata)).filter(([key]) => !SERVER_SET.has(key));
  // No namespace and "default" are the same place.
  return { ...plain, metadata: { namespace: "default", ...Object.fromEntries(own) } };
}

/** A Secret's entry is compared in `data`, but the change is shown where the program wrote it. */
function asWritten(path: Path, { oldInputs, news }: DiffRequest): Path {
  const [field, key] = path;
  if (news.kind !== "Secret" || field !== "data") return path;
  const [was, is] = [oldInputs, news].map((inputs) => mapOf(inputs.stringData));
  if (key === undefined)
    return news.data === undefined && news.stringData !== undefined ? ["stringData"] : path;
  const moved = key in is! || (key in was! && !(key in mapOf(news.data)));
  return moved ? ["stringData", ...path.slice(1)] : path;
}

function takesSameName(before: ValueMap, after: ValueMap): boolean {
  if (annotationOf(after, AUTONAMED) === "true") return false;
  const [old, new_] = [mapOf(before.metadata), mapOf(after.metadata)];
  return new_.name !== UNKNOWN && new_.name === old.name && new_.namespace === old.namespace;
}
