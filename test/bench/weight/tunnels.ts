/** Memory per idle tunnel: our gateway beside frp, each with the same quiet server behind it. */
import { eventually, gatewayStats } from "../../../scripts/lib/lab/lab.ts";
import { withCleanup } from "../cleanup.ts";
import { KubeApi } from "../support/api.ts";
import { benchGateway } from "../support/gateway.ts";
import { usageOf } from "../support/kubelet.ts";
import { type Recorder, wait } from "../support/samples.ts";
import { sinkPort, sinkRoute, sinkService, startSink } from "../support/sink.ts";
import { benchStack } from "../support/stack.ts";
import { IdleTunnels, type TunnelDoor, untilAccepted } from "../support/tunnels.ts";
import { frpName, startFrp } from "./frp.ts";

const team = "bench-weight";
const gateway = "bench-weight-gw";
const domain = "weight.example.com";
/** Tunnels -> how often. */
const sizes = { 100: 3, 1000: 3, 5000: 2 };
const fullSizes = { 9000: 1 };

/** A way for tunnels and the bytes it uses now. */
interface Way {
  readonly rival: string;
  readonly door: TunnelDoor;
  readonly resident: () => Promise<number>;
  /** Bytes in use by the program itself, where it tells. */
  readonly heap?: () => Promise<number>;
}

export async function weighTunnels(
  recorder: Recorder,
  progress: (line: string) => void,
  full: boolean,
): Promise<void> {
  await withCleanup(async (later) => {
    const api = await KubeApi.start(later);
    await startSink(team, later);
    await api.create(sinkService(team, "idle"));
    const { stack } = await benchStack(later, async () => ({
      address: benchGateway(gateway, domain).address,
    }));
    const address = String((await stack.up()).outputs.address?.value);
    await api.create(sinkRoute(team, "idle", domain, gateway));
    const frpAddress = await startFrp(team);
    const allocated = "server_memory_allocated";
    const ways: Way[] = [
      {
        rival: "drawbridge",
        door: { address, port: 80, authority: `idle.${team}.${domain}:${sinkPort}` },
        resident: async () => (await usageOf(gateway, [gateway]))[gateway].resident,
        // The API server, which passes the question on, may be too busy once.
        heap: () =>
          eventually("the gateway's statistics", async () => {
            const stats = await gatewayStats(gateway, `app.kubernetes.io/instance=${gateway}`, [allocated]);
            return stats[allocated];
          }),
      },
      {
        rival: "frp",
        door: { address: frpAddress, port: 1337, authority: `${frpName}:${sinkPort}` },
        resident: async () => (await usageOf(team, ["frp"])).frp.resident,
      },
    ];
    for (const way of ways) await untilAccepted(way.door, performance.now());
    // Rising sizes: a process does not give its memory back, so that only a first growth is its tunnels'.
    for (const [size, runs] of Object.entries(full ? fullSizes : sizes)) {
      for (let index = 0; index < runs; index++) {
        for (const way of ways) await weigh(way, Number(size), index === 0, recorder);
      }
      progress(`${size} idle tunnels, ${runs} runs`);
    }
  });
}

async function weigh(way: Way, size: number, first: boolean, recorder: Recorder): Promise<void> {
  // frp does not tell its heap, and its memory has grown already after the first run.
  if (way.heap === undefined && !first) return;
  const before = { heap: (await way.heap?.()) ?? 0, resident: await way.resident() };
  const tunnels = await IdleTunnels.open(() => way.door, size);
  try {
    // Envoy renews what it tells of its memory every five seconds.
    await wait(6);
    // Those that did not last weigh nothing any more.
    const kept = size - tunnels.lost;
    recorder.add(way.rival, `lost_${size}`, tunnels.lost);
    if (way.heap !== undefined) {
      recorder.add(way.rival, `heap_per_tunnel_${size}`, ((await way.heap()) - before.heap) / kept);
    }
    if (first) {
      recorder.add(
        way.rival,
        `resident_per_tunnel_${size}`,
        ((await way.resident()) - before.resident) / kept,
      );
    }
  } finally {
    tunnels.close();
    await wait(6);
  }
}
