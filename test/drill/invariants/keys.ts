/** A key that was taken away opens nothing any more once its time is over. */
import { eventually } from "../../../scripts/lib/lab/lab.ts";
import type { Invariant } from "../invariant.ts";
import { doors } from "../teams.ts";

/** The kubelet brings a changed file into a pod within a minute or so. */
const boundSeconds = 120;
/** How many of the former keys are tried each time, the newest first. */
const tried = 2;

export const removedKeysStayOut: Invariant = {
  name: "removed keys stay out",
  begin: async ({ guests }) => ({
    async look() {
      const breaches: string[] = [];
      const attempts = guests.former
        .slice(0, tried)
        .flatMap((one) => doors.map((door) => ({ ...one, door })));
      await Promise.all(
        attempts.map(async ({ laptop, since, door: { host } }) => {
          const isIn = async () => (await laptop.ssh([host, "true"], { timeoutSeconds: 30 })).code === 0;
          const left = boundSeconds - (Date.now() - since) / 1000;
          const isOut = async () => !(await isIn());
          const out = left > 0 ? await eventually("refused", isOut, left).catch(() => false) : await isOut();
          if (!out)
            breaches.push(`a key that was removed more than ${boundSeconds} s ago logs in to ${host}`);
        }),
      );
      return { breaches };
    },
    end: async () => {},
  }),
};
