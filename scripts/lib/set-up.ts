/**
 * Brings what the tests run before they need it, with progress: building Kubernetes' API server takes minutes, which no
 * test's own time limit should have to hold. With `DRAWBRIDGE_TALLY=<file>` its outcome goes there, for `npm test`.
 */
import { writeFileSync } from "node:fs";
import {
  ensureDebianPackages,
  ensureTools,
  lineProgress,
  podImages,
  preflight,
  prepare,
  stateDir,
} from "@drawbridge-iac/lab";
import { pulumiTools } from "../../packages/lab/src/pulumi.ts";
import { apiServerTools } from "./engine/api-server.ts";
import { clientPackages } from "./own-lab.ts";
import { couldNotRun, type Tally } from "./report.ts";

/** Nothing when all is there; else the reason, which is a failure in CI. */
async function setUp(): Promise<Tally[]> {
  const progress = lineProgress();
  try {
    if (process.platform === "linux") await ensureDebianPackages(clientPackages, progress);
    // All at once, so that one program is linked while the next is compiled. Why no lab can run, its tests will say.
    const ownLab =
      !process.env.KUBECONFIG &&
      (await preflight(stateDir(), progress).then(
        () => true,
        () => false,
      ));
    if (ownLab) await prepare("test", podImages, progress);
    else await Promise.all([pulumiTools(progress), ensureTools(apiServerTools, progress)]);
    return [];
  } catch (error) {
    const reason = (error as Error).message.replaceAll("\n", " ");
    console.error(reason);
    return [couldNotRun("set-up", reason)];
  }
}

if (import.meta.main) {
  const tallies = await setUp();
  if (process.env.DRAWBRIDGE_TALLY) writeFileSync(process.env.DRAWBRIDGE_TALLY, JSON.stringify(tallies));
}
