/** Every test run says which Pulumi and which Kubernetes provider it uses, and has them and an API server before it begins. */
import { lineProgress } from "../../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../../packages/lab/src/pulumi.ts";
import { ensureTools } from "../../../packages/lab/src/tools/index.ts";
import { apiServerTools } from "../../../scripts/lib/engine/api-server.ts";

export async function setup(): Promise<void> {
  console.log((await pulumiTools(lineProgress())).summary);
  await ensureTools(apiServerTools, lineProgress());
}
