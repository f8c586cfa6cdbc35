/** Each door lets its people in again soon after a fault is healed, with the host key that it had at the beginning. */
import { run } from "../../../scripts/lib/lab/lab.ts";
import type { Invariant } from "../invariant.ts";
import type { Platform } from "../platform.ts";
import { doors } from "../teams.ts";

/** Seconds. */
const bound = 60;

/** Seconds until a login works, or what the last one was told. */
async function login({ laptop }: Platform, host: string): Promise<number | string> {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  for (;;) {
    const { code, stderr } = await laptop.ssh(["-o", "ConnectTimeout=10", host, "true"], {
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
        doors.map(async ({ host }) => [host, await login(platform, host)] as const),
      );
      const works = found.filter((one): one is readonly [string, number] => typeof one[1] === "number");
      return {
        breaches: [],
        logins: Object.fromEntries(works),
        late: found.flatMap(([host, result]) =>
          typeof result === "number" ? [] : [`no login to ${host} within ${bound} s: ${result}`],
        ),
      };
    },
    end: async () => {},
  }),
};

/** The key that the container shows to a client that knows none; undefined when it cannot be asked. */
async function shownKey({ laptop }: Platform, host: string): Promise<string | undefined> {
  const file = `${laptop.folder}/seen-${host}`;
  const blank = [
    "-o",
    "StrictHostKeyChecking=no",
    "-o",
    `UserKnownHostsFile=${file}`,
    "-o",
    "HashKnownHosts=no",
  ];
  await run("rm", ["-f", file]);
  const { code } = await laptop.ssh([...blank, host, "true"], { timeoutSeconds: 30 });
  return code === 0 ? (await run("cat", [file])).stdout.split(" ").slice(1).join(" ").trim() : undefined;
}

export const hostKeysStay: Invariant = {
  name: "no host key changes",
  async begin(platform) {
    const look = async () =>
      new Map(
        await Promise.all(doors.map(async ({ host }) => [host, await shownKey(platform, host)] as const)),
      );
    const first = await look();
    const missing = doors.map(({ host }) => host).filter((host) => !first.get(host));
    if (missing.length > 0) throw new Error(`no host key of ${missing.join(", ")} to begin with`);
    return {
      async look() {
        const now = await look();
        // Who cannot be asked is the login's breach, not this one's.
        const other = [...now].filter(([host, key]) => key !== undefined && key !== first.get(host));
        return { breaches: other.map(([host, key]) => `the host key of ${host} changed to ${key}`) };
      },
      end: async () => {},
    };
  },
};
