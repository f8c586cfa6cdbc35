/** The stack files of a project, as far as they name people. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { stackNamed, teamPeople } from "@drawbridge-iac/manifests/stack";
import { parse } from "yaml";
import type { NamingStack } from "./stale-stacks.ts";

export async function namingStacks(folder: string): Promise<NamingStack[]> {
  const files = (await readdir(folder)).filter((file) => /^Pulumi\..+\.ya?ml$/.test(file)).sort();
  const read = files.map(async (file): Promise<NamingStack[]> => {
    const stack = stackNamed(file);
    try {
      const team = teamPeople(parse(await readFile(join(folder, file), "utf8")));
      if (team === undefined) return [];
      const people = new Set(team.containers.flatMap((container) => container.people));
      return [{ stack, platform: team.platform, people }];
    } catch {
      // Its own preview says why; here it is told that nothing is known of it.
      return [{ stack, platform: undefined, people: undefined }];
    }
  });
  return (await Promise.all(read)).flat();
}
