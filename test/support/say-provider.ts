/** Every test run says which Pulumi and which Kubernetes provider it uses. */
import { lineProgress } from "../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../packages/lab/src/pulumi.ts";

export async function setup(): Promise<void> {
  console.log((await pulumiTools(lineProgress())).summary);
}
