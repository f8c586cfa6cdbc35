/** What was once synced into a home is there, unchanged. */
import type { Invariant } from "../invariant.ts";
import { teams } from "../platform.ts";

export const homesStay: Invariant = {
  name: "hashes unchanged",
  async begin({ laptop }) {
    const sums = new Map<string, string>();
    for (const team of teams) {
      const write = "head -c 3000000 /dev/urandom > drill-data && sync drill-data && sha256sum drill-data";
      const { code, stdout, stderr } = await laptop.ssh([team, write]);
      if (code !== 0) throw new Error(`no file in the home of ${team} to begin with: ${stderr}`);
      sums.set(team, stdout);
    }
    return {
      async look() {
        const breaches: string[] = [];
        for (const team of teams) {
          const { code, stdout, stderr } = await laptop.ssh([team, "sha256sum drill-data"]);
          // 255 is ssh's own: who cannot log in is the login's breach.
          if (code !== 255 && stdout !== sums.get(team)) {
            breaches.push(
              `the file of ${team} was ${sums.get(team)?.trim()}, now ${stdout.trim() || stderr.trim()}`,
            );
          }
        }
        return { breaches };
      },
      end: async () => {},
    };
  },
};
