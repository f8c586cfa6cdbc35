/**
 * The list of a component's objects, in the order in which they are made. A key ends the child's name. All that Pulumi is
 * told of an object stands in the list, so that the guard, which makes it again from the same arguments, has the same.
 */
import type { Kind } from "./kinds.ts";
import { deletedAlone, type Manifest } from "./manifest.ts";

/** Resource options of one object. */
interface Making {
  /** Suffix of the child's name, where the key is not it. */
  readonly suffix?: string;
  /** Keys of the objects that must be created first. Keys of objects that are not made are ignored. */
  readonly after?: readonly string[];
  /** Whether the object is kept when the component is deleted, as people's data is. */
  readonly kept?: boolean;
  /** Fields whose changes are ignored once the object exists. */
  readonly ignoreChanges?: readonly string[];
  /** Time that Pulumi allows for the creation, if its default is too short. */
  readonly createTimeoutSeconds?: number;
}

export interface Declared<K extends Kind = Kind> extends Making {
  readonly manifest: Manifest<K>;
}

/** Objects by key; false or undefined for one that is not made, which only plain arguments may decide. */
export type Objects = Readonly<Record<string, Declared | false | undefined>>;

export function declared<K extends Kind>(manifest: Manifest<K>, making: Making = {}): Declared<K> {
  return { ...making, manifest: deletedAlone(manifest) };
}

/** The objects, each created after those with the given keys. */
export function allAfter<O extends Objects>(before: readonly string[], objects: O): O {
  const entries = Object.entries(objects).map(([key, object]) => [
    key,
    object && { ...object, after: [...before, ...(object.after ?? [])] },
  ]);
  return Object.fromEntries(entries) as O;
}
