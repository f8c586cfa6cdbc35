/** Many people at one gateway: keystrokes, memory and processor time beside idle and busy tunnels, while routes change. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { getObject } from "../../../scripts/lib/lab/lab.ts";
import { withCleanup } from "../cleanup.ts";
import { typeThrough } from "../crowd/keystrokes.ts";
import type { Crowd } from "../crowd/load.ts";
import { KubeApi } from "../support/api.ts";
import { benchGateway } from "../support/gateway.ts";
import { usageOf } from "../support/kubelet.ts";
import { quantile, Recorder, wait } from "../support/samples.ts";
import { sinkPort, sinkRoute, sinkService, startSink } from "../support/sink.ts";
import { benchStack } from "../support/stack.ts";
import { type TunnelDoor, untilAccepted } from "../support/tunnels.ts";

const team = "bench-crowd";
const gateway = "bench-crowd-gw";
const domain = "crowd.example.com";
const bytesPerSecond = 40_000;
/** Each change is a route that comes, and one that goes. */
const sizes = { idle: 1000, active: 100, changes: 50 };
/** A tunnel takes Envoy two open files, of which a process has no more than 20,000 where the lab may not raise that. */
const fullSizes = { idle: 8000, active: 1000, changes: 500 };
const periodSeconds = 0.5;

/** Without `replicas` no gateway stands between: there is nothing to weigh, and no route to change. */
interface Rival {
  readonly name: string;
  readonly replicas?: number;
}

const rivals: readonly Rival[] = [{ name: "drawbridge", replicas: 1 }, { name: "direct" }];
const fullRivals: readonly Rival[] = [
  ...rivals,
  { name: "two proxies", replicas: 2 },
  { name: "four proxies", replicas: 4 },
];

async function startCrowd(crowd: Crowd): Promise<{ stop: () => Promise<number> }> {
  const file = fileURLToPath(new URL("../crowd/load.ts", import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(crowd)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "close").then(([code]) => {
    throw new Error(`the crowd ended with code ${code}`);
  });
  ended.catch(() => undefined);
  const line = async () => ((await Promise.race([once(lines, "line"), ended])) as [string])[0];
  await line();
  return {
    async stop() {
      const said = line();
      child.stdin.end();
      return (JSON.parse(await said) as { lost: number }).lost;
    },
  };
}

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  const { idle, active, changes } = full ? fullSizes : sizes;
  return withCleanup(async (later) => {
    const api = await KubeApi.start(later);
    await startSink(team, later);
    await api.create(sinkService(team, "sink"));
    const { spec } = await getObject<{ spec: { clusterIP: string } }>(["-n", team, "service", "sink"]);
    let proxies = 1;
    const { stack } = await benchStack(later, async () => ({
      address: benchGateway(gateway, domain, { replicas: proxies }).address,
    }));
    const address = String((await stack.up()).outputs.address?.value);
    await api.create(sinkRoute(team, "sink", domain, gateway));
    const byGateway: TunnelDoor = { address, port: 80, authority: `sink.${team}.${domain}:${sinkPort}` };
    const recorder = new Recorder();
    const tunnels = idle + active;
    const figure = (name: string) => `${name}_${tunnels}`;
    for (const { name: rival, replicas } of full ? fullRivals : rivals) {
      const ours = replicas !== undefined;
      const door = ours ? byGateway : { address: spec.clusterIP, port: sinkPort };
      if (ours && replicas !== proxies) {
        proxies = replicas;
        await stack.up();
      }
      await untilAccepted(door, performance.now());
      const usage = async () => (ours ? (await usageOf(gateway, [gateway]))[gateway] : undefined);
      const alone = await usage();
      const crowd = await startCrowd({ door, idle, active, bytesPerSecond });
      progress(`${rival}: ${idle} idle and ${active} busy tunnels stand`);
      let going = true;
      const typed = typeThrough(door, () => going);
      const before = await usage();
      const began = performance.now();
      for (let index = 0; index < changes; index++) {
        const route = sinkRoute(team, `c${index}`, domain, gateway);
        if (ours) await api.create(route);
        await wait(periodSeconds / 2);
        if (ours) await api.remove(route);
        await wait(periodSeconds / 2);
      }
      const after = await usage();
      const seconds = (performance.now() - began) / 1000;
      going = false;
      const times = await typed;
      recorder.add(rival, figure("lost"), await crowd.stop());
      recorder.add(rival, figure("echo_median"), quantile(times, 0.5));
      recorder.add(rival, figure("echo_p99"), quantile(times, 0.99));
      if (alone !== undefined && before !== undefined && after !== undefined) {
        const { resident, processor } = after;
        recorder.add(rival, figure("memory_per_tunnel"), (resident - alone.resident) / tunnels);
        recorder.add(
          rival,
          figure("processor_per_busy_tunnel"),
          (processor - before.processor) / seconds / active,
        );
      }
      progress(`${rival}: ${changes} routes came and went`);
    }
    return recorder.samples;
  });
}

export const crowd: Scenario = {
  name: "crowd",
  title: `keystrokes beside ${sizes.idle} idle tunnels and ${sizes.active} with ${bytesPerSecond / 1000} kB/s each way, while routes come and go (--full: ${fullSizes.idle} and ${fullSizes.active}, by one, two and four proxies)`,
  run: (progress) => run(progress, false),
  runFull: (progress) => run(progress, true),
};
