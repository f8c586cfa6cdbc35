/** Whom a team's file names, read without the rest of it: the file may be at fault elsewhere, or from another version. */
import { namesIn } from "../ssh/people.ts";
import { isMap, type Raw, valueAt, withDefaults } from "./merge.ts";
import type { YamlPath } from "./paths.ts";

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
