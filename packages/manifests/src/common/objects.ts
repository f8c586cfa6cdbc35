/**
 * What a component is made of: its objects by what ends each child's name, in the order in which they are made. Whatever
 * must be said of an object is said there, so that whoever makes the list again, from the same arguments, has the same.
 */
import type { Kind } from "./kinds.ts";
import { deletedAlone, type Manifest } from "./manifest.ts";

/** How an object is made and ends. */
interface Making {
  /** Ends the child's name where its key does not: the name tells of more than one object there. */
  readonly suffix?: string;
  /** Keys of what must stand before it; what is not made is not waited for. */
  readonly after?: readonly string[];
  /** Whether it stays when the component is removed: people's data, and what holds it. */
  readonly kept?: boolean;
  /** Fields whose changes do not reach an object that exists. */
  readonly ignoreChanges?: readonly string[];
  /** How long Pulumi waits until it is made, where it does not wait as long by itself. */
  readonly createTimeoutSeconds?: number;
}

export interface Declared<K extends Kind = Kind> extends Making {
  readonly manifest: Manifest<K>;
}

/** One that is not made is false or undefined, which has to be known from plain arguments. */
export type Objects = Readonly<Record<string, Declared | false | undefined>>;

export function declared<K extends Kind>(manifest: Manifest<K>, making: Making = {}): Declared<K> {
  return { ...making, manifest: deletedAlone(manifest) };
}

/** The objects, each made after what has these keys. */
export function allAfter<O extends Objects>(before: readonly string[], objects: O): O {
  const entries = Object.entries(objects).map(([key, object]) => [
    key,
    object && { ...object, after: [...before, ...(object.after ?? [])] },
  ]);
  return Object.fromEntries(entries) as O;
}
