/** People by name: their keys stand once, and containers say who may log in. */
import { z } from "zod";
import { didYouMean } from "../common/near.ts";
import { strict } from "../common/schema.ts";
import { authorizedKeyLine, parseAuthorizedKey } from "./authorized-keys.ts";
import { personLine } from "./person-line.ts";

const name = (what: string) =>
  z.string().refine((value) => /^[a-z0-9][a-z0-9._-]{0,62}$/.test(value), {
    error: `is not a name for ${what}; use at most 63 lower-case letters, digits, inner dots, hyphens and underscores`,
  });

export const peopleSchema = z
  .record(
    name("a person"),
    strict({ keys: z.array(authorizedKeyLine), groups: z.array(name("a group")).default([]) }),
  )
  .default({});

/** Somebody's public keys, and the groups that they are in. */
export interface Person {
  /** Public keys, one authorized_keys line each; none takes every access away. */
  readonly keys: readonly string[];
  /** @example ["ml"] */
  readonly groups?: readonly string[] | undefined;
}

export type People = Readonly<Record<string, Person>>;

/** A list of keys with the people in it replaced by theirs, after a comment with each one's name. */
export interface ResolvedKeys {
  readonly keys: readonly unknown[];
  /** For each key, which entry of the list it comes from. */
  readonly origins: readonly number[];
  readonly faults: readonly { readonly index: number; readonly message: string }[];
}

const group = "group:";

/** Whether an entry is a person or a group; a key line has a space after its type. */
export function isPerson(entry: unknown): entry is string {
  return typeof entry === "string" && /^(group:)?[A-Za-z0-9._-]+$/.test(entry);
}

/**
 * People and groups in a list of keys, replaced by their keys, each once, after a comment with the name. So a list of
 * whose people nobody has a key any more is not empty: a stack that could not be brought up would keep the old keys.
 * @param people undefined where it is not known who there is
 */
export function resolveKeys(entries: readonly unknown[], people: People | undefined): ResolvedKeys {
  const found: { readonly key: unknown; readonly index: number }[] = [];
  const faults: { index: number; message: string }[] = [];
  const blobs = new Set(entries.flatMap(blobOf));
  for (const [index, entry] of entries.entries()) {
    if (!isPerson(entry)) {
      found.push({ key: entry, index });
      continue;
    }
    const message = people === undefined ? undefined : unknownPerson(entry, people);
    if (message !== undefined) faults.push({ index, message });
    const own: string[] = [];
    for (const key of people === undefined ? [] : keysBy(entry, people)) {
      const [blob] = blobOf(key);
      if (blob !== undefined && blobs.has(blob)) continue;
      if (blob !== undefined) blobs.add(blob);
      own.push(key);
    }
    // Whoever is nobody is one fault already, so that the comment has to be right.
    const person = message === undefined ? entry.toLowerCase() : "nobody";
    const all = [personLine({ person, count: own.length }), ...own];
    found.push(...all.map((key) => ({ key, index })));
  }
  return { keys: found.map(({ key }) => key), origins: found.map(({ index }) => index), faults };
}

/**
 * The key lines of people and groups, for `authorizedKeys` of a program, after a comment with each one's name.
 * @param entries names, `group:<name>` or key lines
 * @example keysOf({ alice: { keys: ["ssh-ed25519 AAAA… alice"], groups: ["ml"] } }, ["group:ml"])
 * @throws Error for each name that is nobody's
 */
export function keysOf(people: People, entries: readonly string[]): string[] {
  const { keys, faults } = resolveKeys(entries, people);
  if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join("; "));
  return keys as string[];
}

/** The keys of a person, or of all in a group. */
export function keysBy(entry: string, people: People): readonly string[] {
  if (!entry.startsWith(group)) return people[entry]?.keys ?? [];
  const wanted = entry.slice(group.length);
  return Object.values(people).flatMap(({ keys, groups }) => (groups?.includes(wanted) ? keys : []));
}

/** All that may stand in a list of keys: `alice`, `group:ml`. */
export function namesOf(people: People): string[] {
  const groups = [...new Set(Object.values(people).flatMap((person) => person.groups ?? []))];
  return [...Object.keys(people), ...groups.map((one) => `${group}${one}`)];
}

function unknownPerson(entry: string, people: People): string | undefined {
  const known = namesOf(people);
  if (known.includes(entry)) return undefined;
  const hint =
    didYouMean(entry, known) ||
    "; give a public key line, or a name from people, where somebody who left stays with keys: []";
  return `${JSON.stringify(entry)} is nobody in people${hint}`;
}

function blobOf(key: unknown): string[] {
  try {
    return typeof key === "string" && !isPerson(key) ? [parseAuthorizedKey(key).blob] : [];
  } catch {
    // Its own fault is reported where it stands.
    return [];
  }
}
