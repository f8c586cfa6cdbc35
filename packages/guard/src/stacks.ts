/** Which stacks a change of people has still to reach: the one of the preview, or those that name the platform's. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type People, peopleSchema } from "@drawbridge-iac/drawbridge/src/host/keys/people";
import {
  changedPeople,
  changesBetween,
  personChangeText,
} from "@drawbridge-iac/drawbridge/src/host/keys/people-changes";
import { teamPeople } from "@drawbridge-iac/drawbridge/src/stacks/people";
import { anyAliases, stackNamed } from "@drawbridge-iac/drawbridge/src/stacks/stack-file";
import { bounded, readYaml } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import { parse } from "yaml";
import { type Change, kindOf, urnStack } from "./change.ts";
import { joined } from "./report-text.ts";
import { at } from "./values.ts";

/** The component of a platform's stack that holds its people. */
export const peopleType = "drawbridge:stacks:People";

/** A team's stack file, as far as it is about its people and its place. */
export interface NamingStack {
  readonly stack: string;
  /** Where its containers are; undefined where that is not said in plain text. */
  readonly namespace?: string | undefined;
  /** The platform's stack that it names; undefined where it names none. */
  readonly platform: unknown;
  /** Undefined where the file cannot be read. */
  readonly people: ReadonlySet<string> | undefined;
}

/** @param stacks undefined where nobody said which there are */
export function describePeople(
  changes: readonly Change[],
  stacks: readonly NamingStack[] | undefined,
): string[] {
  return [...ofPlatform(changes, stacks), ...ofTeam(changes)];
}

function ofPlatform(changes: readonly Change[], stacks: readonly NamingStack[] | undefined): string[] {
  return changes
    .filter(({ type, before }) => type === peopleType && before !== undefined)
    .flatMap(({ before, after, urn }) =>
      changesBetween(peopleIn(before), peopleIn(after)).map((change) => {
        const which = namedBy(change.person, urnStack(urn), stacks);
        return `${personChangeText(change)}; to bring up after this stack: ${which}`;
      }),
    );
}

function peopleIn(inputs: Change["before"]): People {
  return peopleSchema.safeParse(at(inputs, "people")).data ?? {};
}

function namedBy(person: string, platform: string, stacks: readonly NamingStack[] | undefined): string {
  if (stacks === undefined) return `every stack that names ${person} (--stacks finds them)`;
  const takesIt = (name: unknown) => typeof name === "string" && name.split("/").at(-1) === platform;
  const namesOf = (some: readonly NamingStack[]) => some.map(({ stack }) => stack);
  const naming = namesOf(stacks.filter((one) => takesIt(one.platform) && one.people?.has(person)));
  const unread = namesOf(stacks.filter(({ people }) => people === undefined));
  const words = [
    ...(naming.length === 0 ? [] : [joined(naming, naming.length)]),
    ...(unread.length === 0 ? [] : [`perhaps ${joined(unread)}, whose file cannot be read`]),
  ];
  return words.length === 0 ? "none that is known here" : words.join("; ");
}

/** The same people, with other keys: what the file of this stack says has not changed. */
function ofTeam(changes: readonly Change[]): string[] {
  const told = changes.flatMap((change) => {
    const [was, is] = [change.before, change.after].map((inputs) => at(inputs, "data", "authorized_keys"));
    if (kindOf(change) !== "ConfigMap" || typeof was !== "string" || typeof is !== "string") return [];
    return changedPeople(was, is).map((one) => ({
      text: `${personChangeText(one)}; to bring up: this stack, ${urnStack(change.urn)}`,
      name: change.component?.name ?? change.name,
    }));
  });
  const byText = Map.groupBy(told, ({ text }) => text);
  return [...byText].map(([text, all]) => `${text} (${joined(all.map(({ name }) => name))})`);
}

/** The stack files of a project, as far as they are teams'. */
export async function namingStacks(folder: string): Promise<NamingStack[]> {
  const files = (await readdir(folder)).filter((file) => /^Pulumi\..+\.ya?ml$/.test(file)).sort();
  const read = files.map(async (file): Promise<NamingStack[]> => {
    const stack = stackNamed(file);
    try {
      const text = await readFile(join(folder, file), "utf8");
      const team = teamPeople(readYaml(text, () => bounded(parse(text, anyAliases))));
      if (team === undefined) return [];
      const people = new Set(team.containers.flatMap((container) => container.people));
      const { platform, namespace } = team;
      return [{ stack, platform, people, ...(typeof namespace === "string" && { namespace }) }];
    } catch {
      // Its own preview says why; here it is told that nothing is known of it.
      return [{ stack, platform: undefined, people: undefined }];
    }
  });
  return (await Promise.all(read)).flat();
}
