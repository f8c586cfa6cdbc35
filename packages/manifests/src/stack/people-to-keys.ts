/** Puts keys in place of people's names: those of the platform's file, and those of the team's own. */
import { z } from "zod";
import { wrong } from "../common/fault.ts";
import { isPerson, namedFields, namesIn, type People, peopleSchema, resolveKeys } from "../ssh/people.ts";
import { personLine } from "../ssh/person-line.ts";
import { faultsOf, type StackFault } from "./fault.ts";
import { isMap, type Raw, valueAt } from "./merge.ts";
import { keyHolders, peopleIn } from "./named-people.ts";
import type { YamlPath } from "./paths.ts";
import { type PlatformOutputs, unknownOutputs } from "./platform-outputs.ts";
import type { TeamConfig } from "./schema.ts";

/** Whether any container names people. */
export function namesPeople({
  containers,
  containerDefaults,
}: Pick<TeamConfig, "containers" | "containerDefaults">): boolean {
  return [containerDefaults, ...Object.values(containers)].some((args) => peopleIn(args).length > 0);
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
  const shared = isMap(outputs.people) ? (outputs.people as People) : {};
  for (const name of Object.keys(own.data).filter((one) => shared[one] !== undefined)) {
    faults.push({ path: [...path, name], ...wrong("person-of-platform") });
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
      const from = lists.find((list) => [...list.path, keyList].every((part, at) => path[at] === part));
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
    if (isPerson(key)) faults.push({ path: [keyList, index], ...wrong("name-among-keys", { name: key }) });
  }
  const own = [...keys.entries()].filter(([, key]) => !isPerson(key));
  const places: YamlPath[] = [
    ...named.people.map((_, index) => ["people", index]),
    ...named.groups.map((_, index) => ["groups", index]),
    ...own.map(([index]) => [keyList, index]),
  ];
  const found = resolveKeys([...namesIn(named), ...own.map(([, key]) => key)], people);
  const unknown = found.faults.map(({ index, wrong }) => ({ path: places[index] ?? [], ...wrong }));
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
