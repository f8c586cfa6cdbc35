/** What tunnels, containers and images weigh. */

import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { Recorder } from "../support/samples.ts";
import { weighContainers } from "../weight/containers.ts";
import { weighImages } from "../weight/images.ts";
import { weighTunnels } from "../weight/tunnels.ts";

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  const recorder = new Recorder();
  await weighTunnels(recorder, progress, full);
  if (!full) {
    await weighContainers(recorder, progress);
    await weighImages(recorder);
  }
  return recorder.samples;
}

export const weight: Scenario = {
  name: "weight",
  title:
    "bytes of memory per idle tunnel, up to 5000 (--full: 9000); objects and memory of a container by where its sshd comes from; sizes of images",
  run: (progress) => run(progress, false),
  runFull: (progress) => run(progress, true),
};
