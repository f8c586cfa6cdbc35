import { describe, expect, it } from "vitest";
import { Step, WayError } from "../faults.ts";
import { inTurn } from "./first-way.ts";

const refused = (status: number) => new WayError(Step.connect, `answers ${status}`, status);

/** Opens through a gateway that answers these statuses in order, the last one for ever; no real time passes. */
function openThrough(...statuses: number[]) {
  let time = 0;
  const seen = { at: [] as number[], told: [] as string[] };
  const opened = inTurn(
    async () => {
      const status = statuses[Math.min(seen.at.length, statuses.length - 1)] ?? 200;
      seen.at.push(time);
      // An attempt takes time too.
      time += 100;
      if (status !== 200) throw refused(status);
      return "open";
    },
    (text) => void seen.told.push(text),
    {
      now: () => time,
      random: () => 1,
      sleep: async (milliseconds) => {
        time += milliseconds;
      },
    },
  );
  return { opened, seen };
}

describe("inTurn", () => {
  it("asks again after longer and longer pauses, and says so once", async () => {
    const { opened, seen } = openThrough(429, 429, 429, 429, 429, 429, 200);
    expect(await opened).toBe("open");
    expect(seen).toEqual({
      at: [0, 600, 1700, 3800, 7900, 12_000, 16_100],
      told: ["answers 429; trying again for up to 30 s"],
    });
  });

  it("gives up after half a minute, with a last try at its end", async () => {
    const { opened, seen } = openThrough(429);
    await expect(opened).rejects.toThrow("answers 429");
    expect(seen.at.at(-1)).toBe(30_000);
    expect(seen.told.length).toBe(1);
  });

  it.each([200, 404, 503])("asks once where the answer is %s", async (status) => {
    const { opened, seen } = openThrough(status);
    await opened.catch(() => {});
    expect(seen).toEqual({ at: [0], told: [] });
  });

  it("fails with another refusal that follows a wait", async () => {
    const { opened, seen } = openThrough(429, 503);
    await expect(opened).rejects.toThrow("answers 503");
    expect(seen.at.length).toBe(2);
  });

  it("spreads the second attempts of clients that began at the same time", async () => {
    const at = async () => {
      let [time, tries] = [0, 0];
      await inTurn(
        async () => {
          tries += 1;
          if (tries === 1) throw refused(429);
        },
        () => {},
        {
          now: () => time,
          sleep: async (milliseconds) => {
            time += milliseconds;
          },
        },
      );
      return time;
    };
    const times = await Promise.all(Array.from({ length: 50 }, at));
    expect(new Set(times).size).toBeGreaterThan(40);
    expect(times.every((time) => time >= 250 && time <= 500)).toBe(true);
  });
});
