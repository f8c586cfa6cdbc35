/** Keys that change while everybody works. */
import { eventually } from "../../../scripts/lib/lab/lab.ts";
import { type Fault, nothing } from "../fault.ts";
import { doors } from "../teams.ts";

/** Seconds until a new key is let in: the kubelet brings a changed file into a pod within a minute or so. */
const bound = 120;

export const keys: readonly Fault[] = [
  {
    name: "key-changed",
    lasts: [0, 0],
    async inject(_, { stack, vary, guests }) {
      const next = await guests.next();
      vary({ guests: [next.publicKey] });
      await stack.up();
      guests.change(next);
      const heal = async () => {
        for (const { host } of doors) {
          const isIn = async () => (await next.ssh([host, "true"])).code === 0;
          await eventually(`a login to ${host} with the new key`, isIn, bound);
        }
      };
      return { target: "a guest's, everywhere", mayEnd: nothing, heal };
    },
  },
];
