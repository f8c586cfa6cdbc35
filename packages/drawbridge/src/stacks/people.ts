/** People in a team's file: whom it names, and their keys in place of the names. */
import { z } from "zod";
import { personLine } from "../host/keys/authorized-keys.ts";
import {
  isPerson,
  namedFields,
  namesIn,
  type People,
  peopleSchema,
  resolveKeys,
} from "../host/keys/people.ts";

import { faultsOf, type StackFault } from "./fault.ts";
import { type PlatformOutputs, unknownOutputs } from "./read-platform.ts";
import { asMap, isMap, type Raw, startsWith, valueAt, withDefaults, type YamlPath } from "./yaml.ts";

/** Where a container's arguments have `authorizedKeys`, beside which a stack file may have `people` and `groups`. */
export const keyHolders: readonly YamlPath[] = [[], ["access", "frp"]];

/** A team's file, as far as it is about people. */
export interface TeamPeople {
  readonly namespace: unknown;
  /** The stack whose people it may name besides its own. */
  readonly platform: unknown;
  /** As it stands there, unchecked. */
  readonly people: unknown;
  readonly containers: readonly { readonly name: string; readonly people: readonly string[] }[];
}

/**
 * Read without the rest of the file, which may be at fault elsewhere, or from another version.
 * @param content a stack's file as data
 * @returns undefined for a file that is no team's
 */
export function teamPeople(content: unknown): TeamPeople | undefined {
  const team = valueAt(content, ["config", "drawbridge:team"]);
  if (!isMap(team)) return undefined;
  const { namespace, platform, people } = team;
  return {
    namespace,
    platform,
    people,
    containers: Object.entries(asMap(team.containers)).map(([key, own]) => ({
      name: String(valueAt(own, ["name"]) ?? key),
      people: peopleIn(withDefaults(asMap(team.containerDefaults), asMap(own))),
    })),
  };
}

/** People and groups that a container names: `alice`, `group:ml`. */
export function peopleIn(args: Raw): string[] {
  return keyHolders.flatMap((path) => {
    const names = (list: string) => {
      const given = valueAt(args, [...path, list]);
      return Array.isArray(given) ? given.filter((one) => typeof one === "string") : [];
    };
    return namesIn({ people: names("people"), groups: names("groups") });
  });
}

/** The platform's people and the team's own; undefined where they cannot be known. */
export function peopleOf(
  path: YamlPath,
  given: unknown,
  outputs: PlatformOutputs,
  faults: StackFault[],
): People | undefined {
  const own = peopleSchema.safeParse(given);
  if (!own.success || outputs === unknownOutputs) return undefined;
  const shared = asMap(outputs.people) as People;
  for (const name of Object.keys(own.data).filter((one) => shared[one] !== undefined)) {
    faults.push({
      path: [...path, name],
      message: "is already one of the platform's people; choose another name",
    });
  }
  return { ...own.data, ...shared };
}

/** A container's arguments with people's keys beside its own, and without the names. */
export interface NamedKeys {
  readonly args: Raw;
  /** The place in the file that a place in a list of keys comes from. */
  origin(path: YamlPath): YamlPath;
  readonly faults: readonly StackFault[];
}

export function withKeys(args: Raw, people: People | undefined): NamedKeys {
  const lists = keyHolders.flatMap((path) => {
    const holder = valueAt(args, path);
    return isMap(holder) ? [{ path, ...keysBeside(holder, people) }] : [];
  });
  return {
    args: lists.reduce<Raw>((all, { path, holder }) => replaced(all, path, holder), args),
    origin: (path) => {
      const from = lists.find((list) => startsWith(path, [...list.path, keyList]));
      if (from === undefined) return path;
      // In a list of keys: the index of one, and what follows it.
      const [index, ...rest] = path.slice(from.path.length + 1);
      const place = typeof index === "number" ? from.places[index] : undefined;
      return place === undefined ? path : [...from.path, ...place, ...rest];
    },
    faults: lists.flatMap(({ path, faults }) =>
      faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] })),
    ),
  };
}

const keyList = "authorizedKeys";
const commentLine = () => personLine({ person: "nobody", count: 0 });
const namesSchema = z.object(namedFields);

interface Beside {
  readonly holder: Raw;
  /** Where each key comes from. */
  readonly places: readonly YamlPath[];
  readonly faults: readonly StackFault[];
}

function keysBeside(given: Raw, people: People | undefined): Beside {
  const { people: names = [], groups = [], ...holder } = given;
  const faults = faultsOf(namesSchema, { people: names, groups }, (path) => path);
  const named =
    faults.length === 0 ? namesSchema.parse({ people: names, groups }) : { people: [], groups: [] };
  const keys = Array.isArray(given[keyList]) ? given[keyList] : [];
  for (const [index, key] of keys.entries()) {
    if (isPerson(key))
      faults.push({
        path: [keyList, index],
        message: `"${key}" is a name and no public key; name people in people, groups in groups`,
      });
  }
  const own = [...keys.entries()].filter(([, key]) => !isPerson(key));
  const places: YamlPath[] = [
    ...named.people.map((_, index) => ["people", index]),
    ...named.groups.map((_, index) => ["groups", index]),
    ...own.map(([index]) => [keyList, index]),
  ];
  const found = resolveKeys([...namesIn(named), ...own.map(([, key]) => key)], people);
  const unknown = found.faults.map(({ index, problem }) => ({ path: places[index] ?? [], ...problem }));
  const isGiven = places.length > 0 || Array.isArray(given[keyList]);
  return {
    // Names at fault were meant to give keys: with a comment for each, the list does not count as empty.
    holder:
      isGiven || faults.length > 0
        ? { ...holder, [keyList]: [...found.keys, ...faults.map(commentLine)] }
        : holder,
    places: found.origins.map((index) => places[index] ?? []),
    faults: [...faults, ...unknown],
  };
}

function replaced(all: Raw, [first, ...rest]: YamlPath, value: Raw): Raw {
  if (first === undefined) return value;
  return { ...all, [first]: replaced(all[first] as Raw, rest, value) };
}
