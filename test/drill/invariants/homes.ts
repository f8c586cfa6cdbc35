/** What was once synced into a home is there, unchanged: a file of the beginning, and those written while faults come. */
import type { Laptop } from "../../support/lab.ts";
import type { Invariant } from "../invariant.ts";
import { hostOf, teams } from "../teams.ts";
import { type HeldScript, holdScript } from "./held.ts";

const write = "head -c 3000000 /dev/urandom > drill-data && sync drill-data && sha256sum drill-data";

/** Each file is whole and on the disk before its hash is said, which is when nobody may lose it. */
const goOnWriting = `
while :; do
  name=drill-$(date +%s%N)
  head -c 20000 /dev/urandom > $name.new && sync $name.new && mv $name.new $name && sync . && sha256sum $name
  sleep 2
done
`;

/** The sums of files in a container, as sha256sum writes them; undefined where one cannot log in. */
async function sums(laptop: Laptop, host: string, files: readonly string[]): Promise<string | undefined> {
  const { code, stdout, stderr } = await laptop.ssh([host, `sha256sum ${files.join(" ")}`]);
  // 255 is ssh's own: who cannot log in is the login's breach.
  return code === 255 ? undefined : stdout + stderr;
}

export const homesStay: Invariant = {
  name: "hashes unchanged",
  async begin({ laptop }) {
    const first = new Map<string, string>();
    const writers = new Map<string, HeldScript>();
    for (const team of teams) {
      const { code, stdout, stderr } = await laptop.ssh([hostOf(team), write]);
      if (code !== 0) throw new Error(`no file in the home of ${team} to begin with: ${stderr}`);
      first.set(team, stdout);
      writers.set(team, holdScript(laptop, hostOf(team), goOnWriting));
    }
    return {
      async look() {
        const breaches: string[] = [];
        for (const team of teams) {
          const written = (writers.get(team)?.take() ?? []).filter((line) => line.includes("  drill-"));
          const said = [first.get(team)?.trim() ?? "", ...written];
          const files = said.map((line) => line.split("  ")[1] ?? "");
          const found = await sums(laptop, hostOf(team), files);
          if (found === undefined) continue;
          const missing = said.filter((line) => !found.includes(`${line}\n`));
          breaches.push(...missing.map((line) => `a file of ${team} was ${line}, now: ${found.trim()}`));
          const passed = files.slice(1).join(" ");
          if (passed !== "") await laptop.ssh([hostOf(team), `rm -f ${passed}`]);
        }
        return { breaches };
      },
      end: async () => {
        await Promise.all([...writers.values()].map((writer) => writer.end()));
      },
    };
  },
};
