/** Out by name beside the same Envoy without decisions: connections, bulk, memory. */
import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { eventually } from "../../../scripts/lib/lab/lab.ts";
import { withCleanup } from "../cleanup.ts";
import { makeContainers } from "../egress/containers.ts";
import { bulk, connects, holding } from "../egress/load.ts";
import { openWays } from "../egress/objects.ts";
import { usageOf } from "../support/kubelet.ts";
import { quantile, Recorder, wait } from "../support/samples.ts";

const rounds = 5;
const rate = 1000;
const seconds = 5;
const containers = 1000;

async function run(progress: (line: string) => void): Promise<Samples> {
  return withCleanup(async (later) => {
    const ways = await openWays(later);
    const recorder = new Recorder();
    // The warm-up.
    for (const way of ways) await connects(way, 100, 5);
    progress("both ways are open");
    for (let round = 1; round <= rounds; round++) {
      for (const way of ways) {
        const { took, lost } = await connects(way, rate, seconds);
        recorder.add(way.rival, "connect_median", quantile(took, 0.5));
        recorder.add(way.rival, "connect_p99", quantile(took, 0.99));
        recorder.add(way.rival, "lost", lost);
        // On a slow machine some are still under way.
        recorder.add(way.rival, "bulk_per_second", await eventually("a download", () => bulk(way)));
      }
      progress(`round ${round} of ${rounds}`);
    }
    const logins = await makeContainers(containers, later);
    progress(`${containers} containers`);
    for (const way of ways) {
      // Those of before have ended.
      await wait(6);
      const resident = async () => Object.values(await usageOf(way.namespace, [""]))[0]?.resident ?? 0;
      recorder.add(way.rival, "resident_idle", await resident());
      recorder.add(way.rival, `resident_${containers}_tunnels`, await holding(way, logins, resident));
    }
    return recorder.samples;
  });
}

export const egress: Scenario = {
  name: "egress",
  title: `out by name beside the same Envoy without decisions: ${rate} CONNECTs a second for ${seconds} s and 256 MiB through one tunnel, ${rounds} runs; memory with ${containers} containers of 50 names and a tunnel each`,
  run,
};
