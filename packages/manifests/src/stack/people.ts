/** Who may log in, by name: people of the platform's file and of the team's, in the place of their keys. */
import { wrong } from "../common/fault.ts";
import { isPerson, type People, peopleSchema, resolveKeys } from "../ssh/people.ts";
import type { StackFault } from "./fault.ts";
import { isMap, type Raw, valueAt, withDefaults } from "./merge.ts";
import { keyLists, peopleIn } from "./named-people.ts";
import type { YamlPath } from "./paths.ts";
import { type PlatformOutputs, unknownOutputs } from "./platform-outputs.ts";
import type { TeamConfig } from "./schema.ts";

/** Whether a container's keys are said by people's names. */
export function namesPeople({
  containers,
  containerDefaults,
}: Pick<TeamConfig, "containers" | "containerDefaults">): boolean {
  return [containerDefaults, ...Object.values(containers)].some((args) => peopleIn(args).length > 0);
}

/** The platform's people and the team's own; undefined where it cannot be known who there is. */
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

/** A container's arguments with people's keys in the place of their names. */
export interface NamedKeys {
  readonly args: Raw;
  /** The place in the file's list that a place in the list of keys comes from. */
  origin(path: YamlPath): YamlPath;
  readonly unknownPeople: readonly StackFault[];
}

export function withKeys(args: Raw, people: People | undefined): NamedKeys {
  const named = keyLists.flatMap((path) => {
    const list = valueAt(args, path);
    return Array.isArray(list) && list.some(isPerson) ? [{ path, ...resolveKeys(list, people) }] : [];
  });
  return {
    args: named.reduce<Raw>((all, { path, keys }) => withDefaults(all, nested(path, keys)), args),
    origin: (path) => {
      const from = named.find((list) => list.path.every((part, index) => path[index] === part));
      const at = path[from?.path.length ?? 0];
      if (from === undefined || typeof at !== "number") return path;
      return [...from.path, from.origins[at] ?? at, ...path.slice(from.path.length + 1)];
    },
    unknownPeople: named.flatMap(({ path, faults }) =>
      faults.map(({ index, wrong }) => ({ path: [...path, index], ...wrong })),
    ),
  };
}

function nested([first, ...rest]: YamlPath, value: unknown): Raw {
  return { [first as string]: rest.length === 0 ? value : nested(rest, value) };
}
