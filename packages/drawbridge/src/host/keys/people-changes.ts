/** What a change of people means for a file of keys that was made of their names. */
import { authorizedKeyId, readPersonLine, renderAuthorizedKeys } from "./authorized-keys.ts";
import { keysBy, namesOf, type People, resolveKeys } from "./people.ts";

/** A person or group that a file names, with other keys than the file has of them. */
export interface PersonChange {
  /** `alice`, or `group:ml`. */
  readonly person: string;
  /** How many keys come, and how many go. */
  readonly gains: number;
  readonly loses: number;
}

/** The people and groups that both files of keys name, with other keys in the second one. */
export function changedPeople(was: string, is: string): PersonChange[] {
  const [before, after] = [readKeys(was), readKeys(is)];
  return [...before.byPerson].flatMap(([person, old]) => {
    const current = after.byPerson.get(person);
    if (current === undefined) return [];
    return change(person, without(current, before.all), without(old, after.all));
  });
}

/** The people and groups of `was` that have other keys in `is`. */
export function changesBetween(was: People, is: People): PersonChange[] {
  return namesOf(was).flatMap((person) => {
    const [before, after] = [keySet(person, was), keySet(person, is)];
    return change(person, without(after, before), without(before, after));
  });
}

const keySet = (person: string, people: People) => new Set(keysBy(person, people).map(authorizedKeyId));
const without = (keys: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...keys].filter((key) => !others.has(key)).length;

function change(person: string, gains: number, loses: number): PersonChange[] {
  return gains + loses === 0 ? [] : [{ person, gains, loses }];
}

/** How a file of keys differs from what the people of today give. */
export interface Outdated {
  /** The people and groups that the file names, in its order. */
  readonly people: readonly string[];
  readonly changes: readonly PersonChange[];
  /** Named in the file, and not among these people. */
  readonly unknown: readonly string[];
}

export function outdatedKeys(text: string, people: People): Outdated {
  const { entries, byPerson } = readKeys(text);
  const named = [...byPerson.keys()];
  const { faults } = resolveKeys(named, people);
  const unknown = faults.flatMap(({ index }) => named[index] ?? []);
  const known = entries.filter((entry) => !unknown.includes(entry));
  const now = renderAuthorizedKeys(resolveKeys(known, people).keys as string[]);
  return { people: named, changes: changedPeople(text, now), unknown };
}

/** `bob loses 1 key`, `group:ml gains 2 keys and loses 1`. */
export function personChangeText({ person, gains, loses }: PersonChange): string {
  const keys = (count: number) => (count === 1 ? "1 key" : `${count} keys`);
  if (gains === 0) return `${person} loses ${keys(loses)}`;
  return `${person} gains ${keys(gains)}${loses === 0 ? "" : ` and loses ${loses}`}`;
}

interface Keys {
  /** What the file was made of: names, and key lines that belong to no name. */
  readonly entries: readonly string[];
  readonly byPerson: ReadonlyMap<string, ReadonlySet<string>>;
  readonly all: ReadonlySet<string>;
}

function readKeys(text: string): Keys {
  const lines = text.split("\n").filter((line) => line !== "");
  const entries: string[] = [];
  const byPerson = new Map<string, Set<string>>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const named = readPersonLine(line);
    entries.push(named?.person ?? line);
    if (named === undefined) continue;
    const own = lines.slice(at + 1, at + 1 + named.count).map(authorizedKeyId);
    byPerson.set(named.person, new Set([...(byPerson.get(named.person) ?? []), ...own]));
    at += named.count;
  }
  return { entries, byPerson, all: new Set(lines.map(authorizedKeyId)) };
}
