/** What was once synced into a home is there, unchanged: a file of the beginning, and those written while faults come. */
import type { Laptop } from "../../../scripts/lib/lab/lab.ts";
import type { Invariant } from "../invariant.ts";
import { hostOf, teams } from "../teams.ts";
import { type HeldScript, holdScript } from "./held.ts";

const write = "head -c 3000000 /dev/urandom > drill-data && sync drill-data && sha256sum drill-data";

/** Each file is whole and on the disk before its hash is said, which is when nobody may lose it. */
export const goOnWriting = `
while :; do
  name=drill-$(date +%s%N)
  head -c 20000 /dev/urandom > $name.new && sync $name.new && mv $name.new $name && sync . && sha256sum $name
  sleep 2
done
`;

/** What sha256sum says of files in a container; undefined where one cannot log in. All but the first are then removed. */
async function sums(laptop: Laptop, host: string, files: readonly string[]): Promise<string | undefined> {
  const script = `sha256sum ${files.join(" ")}; rm -f -- ${files.slice(1).join(" ")}`;
  const { code, stdout, stderr } = await laptop.ssh([host, script]);
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
        const found = await Promise.all(
          teams.map(async (team) => {
            const written = (writers.get(team)?.take() ?? []).filter((line) => line.includes("  drill-"));
            const said = [first.get(team)?.trim() ?? "", ...written];
            const files = said.map((line) => line.split("  ")[1] ?? "");
            const now = await sums(laptop, hostOf(team), files);
            const other = now === undefined ? [] : said.filter((line) => !now.includes(`${line}\n`));
            return other.map((line) => `a file of ${team} was ${line}, now: ${now?.trim()}`);
          }),
        );
        return { breaches: found.flat() };
      },
      end: async () => {
        await Promise.all([...writers.values()].map((writer) => writer.end()));
      },
    };
  },
};
