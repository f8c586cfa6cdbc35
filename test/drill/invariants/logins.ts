/** Each container lets its people in again soon after a fault is healed, with the host key that it had at the beginning. */
import { run } from "../../support/lab.ts";
import type { Invariant } from "../invariant.ts";
import { type Platform, teams } from "../platform.ts";

/** Seconds. */
const bound = 60;

/** Seconds until a login works, or what the last one was told. */
async function login({ laptop }: Platform, team: string): Promise<number | string> {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  for (;;) {
    const { code, stderr } = await laptop.ssh(["-o", "ConnectTimeout=10", team, "true"], {
      timeoutSeconds: 30,
    });
    if (code === 0) return Math.round(passed() * 100) / 100;
    if (passed() > bound) return stderr.trim();
  }
}

export const loginsWork: Invariant = {
  name: "login works again within a bound",
  begin: async (platform) => ({
    async look() {
      const found = await Promise.all(
        teams.map(async (team) => [team, await login(platform, team)] as const),
      );
      const works = found.filter(
        (one): one is readonly [(typeof teams)[number], number] => typeof one[1] === "number",
      );
      return {
        logins: Object.fromEntries(works),
        breaches: found.flatMap(([team, result]) =>
          typeof result === "number" ? [] : [`no login to ${team} within ${bound} s: ${result}`],
        ),
      };
    },
    end: async () => {},
  }),
};

/** The key that the container shows to a client that knows none; undefined when it cannot be asked. */
async function shownKey({ laptop }: Platform, team: string): Promise<string | undefined> {
  const file = `${laptop.folder}/seen-${team}`;
  const blank = [
    "-o",
    "StrictHostKeyChecking=no",
    "-o",
    `UserKnownHostsFile=${file}`,
    "-o",
    "HashKnownHosts=no",
  ];
  await run("rm", ["-f", file]);
  const { code } = await laptop.ssh([...blank, team, "true"], { timeoutSeconds: 30 });
  return code === 0 ? (await run("cat", [file])).stdout.split(" ").slice(1).join(" ").trim() : undefined;
}

export const hostKeysStay: Invariant = {
  name: "no host key changes",
  async begin(platform) {
    const look = async () =>
      new Map(await Promise.all(teams.map(async (team) => [team, await shownKey(platform, team)] as const)));
    const first = await look();
    const missing = teams.filter((team) => !first.get(team));
    if (missing.length > 0) throw new Error(`no host key of ${missing.join(", ")} to begin with`);
    return {
      async look() {
        const now = await look();
        // Who cannot be asked is the login's breach, not this one's.
        const other = teams.filter(
          (team) => now.get(team) !== undefined && now.get(team) !== first.get(team),
        );
        return { breaches: other.map((team) => `the host key of ${team} changed to ${now.get(team)}`) };
      },
      end: async () => {},
    };
  },
};
