/** A CONNECT to what nobody declared is refused at every moment, faults included. */
import { setTimeout as sleep } from "node:timers/promises";
import { knockWith } from "../../support/clients/tunnel-client.ts";
import type { Invariant } from "../invariant.ts";
import { authority, teams } from "../teams.ts";

const undeclared = [
  authority(teams[0], 8080),
  authority("nobody", 22),
  "kubernetes.default.svc.cluster.local:443",
  "istiod.istio-system.svc.cluster.local:15010",
  "10.201.0.1:6443",
];

export const undeclaredRefused: Invariant = {
  name: "undeclared CONNECT refused",
  async begin({ address }) {
    const opened = new Map<string, string>();
    let going = true;
    const knocking = (async () => {
      while (going) {
        for (const target of undeclared) {
          const answer = await knockWith({ address, port: 80 }, target);
          if (answer.includes(" 200")) opened.set(target, answer);
        }
        await sleep(500);
      }
    })();
    return {
      async look() {
        const breaches = [...opened].map(([target, answer]) => `CONNECT ${target} was answered "${answer}"`);
        opened.clear();
        return { breaches };
      },
      end: async () => {
        going = false;
        await knocking;
      },
    };
  },
};
