/** People by name: their keys are written once, and containers name who may log in. */
import { z } from "zod";
import { arg } from "../../kit/arg.ts";
import { orMeant, type Problem, textOf } from "../../kit/fault.ts";
import { strict } from "../../kit/schema.ts";
import { nearest } from "../../kit/suggestion.ts";
import { authorizedKeyLine, personLine, validKey } from "./authorized-keys.ts";

const group = "group:";

/** A name of a person or a group. */
const name = (what: string) =>
  z
    .string()
    .refine(
      (value) => /^[a-z0-9][a-z0-9._-]{0,62}$/.test(value),
      `is not a name for ${what}; use at most 63 lower-case letters, digits, inner dots, hyphens and underscores`,
    );

export const peopleSchema = z
  .record(
    name("a person"),
    strict({ keys: z.array(authorizedKeyLine), groups: z.array(name("a group")).default([]) }),
  )
  .default({});

/** The fields beside a list of keys: `people: [alice]`, `groups: [ml]`. */
export const namedFields = {
  people: arg(
    z.array(name("a person")).default([]),
    "People whose keys may log in, by their names in `people`.",
    { effect: ["opens"] },
  ),
  groups: arg(z.array(name("a group")).default([]), "Groups of `people` whose keys may log in.", {
    effect: ["opens"],
  }),
};

/** People and groups, by name. */
export interface Named {
  readonly people?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
}

/** As entries of one list: `alice`, `group:ml`. */
export const namesIn = ({ people = [], groups = [] }: Named): string[] => [
  ...people,
  ...groups.map((one) => `${group}${one}`),
];

/** Someone's public keys, and the groups that they are in. */
export interface Person {
  /** Public keys, one authorized_keys line each; an empty list takes all access away. */
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
  readonly faults: readonly { readonly index: number; readonly problem: Problem }[];
}

/** Whether an entry is a person or a group; a key line has a space after its type. */
export function isPerson(entry: unknown): entry is string {
  return typeof entry === "string" && /^(group:)?[A-Za-z0-9._-]+$/.test(entry);
}

/**
 * Replaces people and groups in a list by their keys, each key once, after a comment with the name. The comments keep
 * the list from being empty when its people have no keys left: an empty list is refused, and the old keys would stay.
 * @param people undefined where they are not known
 */
export function resolveKeys(entries: readonly unknown[], people: People | undefined): ResolvedKeys {
  const found: { readonly key: unknown; readonly index: number }[] = [];
  const faults: { index: number; problem: Problem }[] = [];
  const blobs = new Set(entries.map((entry) => validKey(entry)?.blob));
  for (const [index, entry] of entries.entries()) {
    if (!isPerson(entry)) {
      found.push({ key: entry, index });
      continue;
    }
    const fault = people === undefined ? undefined : unknownPerson(entry, people);
    if (fault !== undefined) faults.push({ index, problem: fault });
    const own: string[] = [];
    for (const key of people === undefined ? [] : keysBy(entry, people)) {
      const blob = validKey(key)?.blob;
      if (blob !== undefined && blobs.has(blob)) continue;
      if (blob !== undefined) blobs.add(blob);
      own.push(key);
    }
    // An unknown name is one fault already; the comment must be a valid one, or it would be a second.
    const person = fault === undefined ? entry.toLowerCase() : "nobody";
    const all = [personLine({ person, count: own.length }), ...own];
    found.push(...all.map((key) => ({ key, index })));
  }
  return { keys: found.map(({ key }) => key), origins: found.map(({ index }) => index), faults };
}

/**
 * The key lines of people and groups, for `authorizedKeys` of a program, after a comment with each one's name.
 * @example keysOf({ alice: { keys: ["ssh-ed25519 AAAA… alice"], groups: ["ml"] } }, { groups: ["ml"] })
 * @throws Error with every unknown name
 */
export function keysOf(people: People, named: Named): string[] {
  const { keys, faults } = resolveKeys(namesIn(named), people);
  if (faults.length > 0) throw new Error(faults.map(({ problem }) => textOf(problem)).join("; "));
  return keys as string[];
}

/** The keys of a person, or of all in a group. */
export function keysBy(entry: string, people: People): readonly string[] {
  if (!entry.startsWith(group)) return Object.hasOwn(people, entry) ? (people[entry]?.keys ?? []) : [];
  const wanted = entry.slice(group.length);
  return Object.values(people).flatMap(({ keys, groups }) => (groups?.includes(wanted) ? keys : []));
}

/** All names that a list of keys may have: `alice`, `group:ml`. */
export function namesOf(people: People): string[] {
  const groups = [...new Set(Object.values(people).flatMap((person) => person.groups ?? []))];
  return [...Object.keys(people), ...groups.map((one) => `${group}${one}`)];
}

function unknownPerson(entry: string, people: People): Problem | undefined {
  const known = namesOf(people);
  if (known.includes(entry)) return undefined;
  const otherwise = "; use a name from people, where a person who left stays with keys: []";
  return { message: `"${entry}" is not a name in people${orMeant(nearest(entry, known), otherwise)}` };
}
