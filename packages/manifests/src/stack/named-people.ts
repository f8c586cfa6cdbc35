/** Whom a team's file names, read without the rest of it: the file may be at fault elsewhere, or from another version. */
import { isPerson } from "../ssh/people.ts";
import { isMap, type Raw, valueAt, withDefaults } from "./merge.ts";
import type { YamlPath } from "./paths.ts";

/** Where a container's arguments have lists of keys. */
export const keyLists: readonly YamlPath[] = [["authorizedKeys"], ["access", "frp", "authorizedKeys"]];

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
 * @param content a stack's file as data
 * @returns undefined for a file that is no team's
 */
export function teamPeople(content: unknown): TeamPeople | undefined {
  const team = valueAt(content, ["config", "drawbridge:team"]);
  if (!isMap(team)) return undefined;
  const { namespace, platform, people } = team;
  const defaults = isMap(team.containerDefaults) ? team.containerDefaults : {};
  const containers = isMap(team.containers) ? Object.entries(team.containers) : [];
  return {
    namespace,
    platform,
    people,
    containers: containers.map(([key, own]) => ({
      name: String(valueAt(own, ["name"]) ?? key),
      people: peopleIn(withDefaults(defaults, isMap(own) ? own : {})),
    })),
  };
}

/** People and groups in a container's lists of keys. */
export function peopleIn(args: Raw): string[] {
  return keyLists.flatMap((path) => {
    const list = valueAt(args, path);
    return Array.isArray(list) ? list.filter(isPerson) : [];
  });
}
