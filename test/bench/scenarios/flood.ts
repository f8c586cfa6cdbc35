/** The owner's logins while somebody without a key floods the same container, with the gateway's limits and without. */

import { askFromOutside, type Flood } from "../../support/clients/many-clients.ts";
import {
  byGateway,
  noLimits,
  testContainer,
  testDomain,
  testGateway,
  testNamespace,
} from "../../support/lab/cluster.ts";
import { loadBalancerAddress } from "../../support/lab/ingress-workload.ts";
import { eventually, Laptop } from "../../support/lab/lab.ts";
import { withCleanup } from "../cleanup.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { quantile, Recorder, wait } from "../support/samples.ts";
import { benchStack, joinedOutput } from "../support/stack.ts";

const team = "bench-flood";
const rivals = { drawbridge: {}, "no limits": noLimits } as const;
type Rival = keyof typeof rivals;
const names = { drawbridge: "limited", "no limits": "unlimited" } as const satisfies Record<Rival, string>;
const logins = 20;
const flood = { from: "192.0.2.66", tunnels: 500, perSecond: 200, seconds: 60 } satisfies Omit<
  Flood,
  "authority"
>;

/** Seconds of one login; undefined if it failed or took longer than ten. */
async function login(laptop: Laptop, host: string): Promise<number | undefined> {
  const began = performance.now();
  const { code } = await laptop.ssh(["-o", "ConnectTimeout=10", host, "true"], { timeoutSeconds: 15 });
  return code === 0 ? (performance.now() - began) / 1000 : undefined;
}

async function run(progress: (line: string) => void): Promise<Samples> {
  return withCleanup(async (later) => {
    const laptop = await Laptop.create("flood");
    later(() => laptop.remove());
    const { stack } = await benchStack(later, async () => {
      const namespace = testNamespace(team);
      const made = Object.entries(rivals).map(([rival, limits]) => {
        const name = names[rival as Rival];
        const gateway = testGateway(`bench-${name}`, {
          domain: `${name}.${testDomain}`,
          connectionLimits: limits,
          replicas: 2,
        });
        const keys = { namespace: team, authorizedKeys: [laptop.publicKey] };
        return testContainer(name, { ...keys, access: byGateway(gateway) }, [namespace]);
      });
      return {
        sshConfig: made.map(({ sshConfig }) => sshConfig),
        knownHosts: made.map(({ knownHosts }) => knownHosts),
      };
    }, [team]);
    const { outputs } = await stack.up();
    await laptop.configure(joinedOutput(outputs, "sshConfig"), joinedOutput(outputs, "knownHosts"));
    const recorder = new Recorder();
    for (const rival of Object.keys(rivals) as Rival[]) {
      const name = names[rival];
      await eventually(`a login to ${name}`, async () => (await login(laptop, name)) !== undefined, 120);
      const address = await loadBalancerAddress(`bench-${name}`, `bench-${name}`);
      const authority = `${name}.${team}.${name}.${testDomain}:22`;
      const going = askFromOutside({ address, port: 80 }, [{ ...flood, authority }]);
      let over = false;
      // So that nothing is unhandled when a login throws.
      going
        .catch(() => {})
        .finally(() => {
          over = true;
        });
      await wait(3);
      const passed: number[] = [];
      for (let tried = 0; tried < logins; tried++) {
        const seconds = await login(laptop, name);
        // One that came in only after the flood is lost.
        if (seconds !== undefined && !over) passed.push(seconds);
        if (over) break;
        await wait(1.5);
      }
      recorder.add(rival, "lost", logins - passed.length);
      if (passed.length > 0) {
        recorder.add(rival, "login_median", quantile(passed, 0.5));
        recorder.add(rival, "login_slowest", Math.max(...passed));
      }
      const [answers] = await going;
      progress(`${rival}: the flood was answered ${JSON.stringify(answers)}`);
    }
    return recorder.samples;
  });
}

export const floods: Scenario = {
  name: "flood",
  title: `${logins} logins while one address without a key opens ${flood.tunnels} tunnels at once and ${flood.perSecond} connections a second for ${flood.seconds} s`,
  run,
};
