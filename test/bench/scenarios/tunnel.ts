/** A session by each way in: how soon it begins, how fast it answers, how much it carries. */

import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { eventually, type Laptop } from "../../../scripts/lib/lab/lab.ts";
import { withCleanup } from "../cleanup.ts";
import { quantile, Recorder } from "../support/samples.ts";
import { besideDownload, download, upload } from "../tunnel/bulk.ts";
import { typeKeys } from "../tunnel/echo.ts";
import { openWays, ways } from "../tunnel/objects.ts";

const rounds = 5;
/** In a round and each way; a 99th percentile is the second slowest. */
const keys = 100;

async function login(laptop: Laptop, host: string): Promise<number> {
  const began = performance.now();
  const outcome = await laptop.ssh([host, "true"]);
  if (outcome.code !== 0) throw new Error(`a login by ${host}: ${outcome.stderr.trim()}`);
  return (performance.now() - began) / 1000;
}

async function run(progress: (line: string) => void): Promise<Samples> {
  return withCleanup(async (later) => {
    const laptop = await openWays(later);
    for (const host of Object.values(ways)) {
      // Also the warm-up.
      await eventually(`a login by ${host}`, () => login(laptop, host), 120);
    }
    progress("every way is open");
    const recorder = new Recorder();
    for (let round = 1; round <= rounds; round++) {
      for (const [rival, host] of Object.entries(ways)) {
        recorder.add(rival, "login", await login(laptop, host));
        const idle = await typeKeys(laptop, host, keys);
        recorder.add(rival, "echo_median", quantile(idle, 0.5));
        recorder.add(rival, "echo_p99", quantile(idle, 0.99));
        const busy = await besideDownload(laptop, host, () => typeKeys(laptop, host, keys));
        recorder.add(rival, "echo_beside_bulk_median", quantile(busy, 0.5));
        recorder.add(rival, "echo_beside_bulk_p99", quantile(busy, 0.99));
        recorder.add(rival, "download_per_second", await download(laptop, host));
        recorder.add(rival, "upload_per_second", await upload(laptop, host));
      }
      progress(`round ${round} of ${rounds}`);
    }
    return recorder.samples;
  });
}

export const tunnel: Scenario = {
  name: "tunnel",
  title: `a session by each way in, aes128-gcm: login, ${keys} keystrokes' echo idle and beside a download by the same way, 64 MiB each way, ${rounds} runs`,
  run,
};
