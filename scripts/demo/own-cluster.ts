/** What the demo needs of a cluster and a machine that it did not set up itself, looked for before anything is made. */
import { spawnSync } from "node:child_process";
import { imageRef } from "../../packages/lab/src/index.ts";

const programs = ["kubectl", "ssh", "scp", "nc", "proxytunnel", "curl"];
const istio = "virtualservices.networking.istio.io";

/** One sentence for each thing that is missing. */
export function missingForDemo(): string[] {
  const absent = programs.filter((program) => spawnSync("which", [program]).status !== 0);
  if (absent.length > 0) return [`these programs are not on PATH: ${absent.join(", ")}. Install them.`];
  const nodes = kubectl("get", "nodes", "-o", "jsonpath={.items[*].status.images[*].names}");
  if (nodes.status !== 0) {
    const reason = nodes.stderr.trim().split("\n").at(-1);
    return [`the cluster of KUBECONFIG (${process.env.KUBECONFIG}) does not answer: ${reason}`];
  }
  const missing: string[] = [];
  if (kubectl("get", "crd", istio).status !== 0) {
    missing.push(
      `the cluster has no Istio (no ${istio}). Install it, or unset KUBECONFIG to have a lab started on this machine.`,
    );
  }
  // Only a lab's node has images that no registry serves.
  if (!process.env.DRAWBRIDGE_IMAGES && !nodes.stdout.includes(imageRef("devcontainer"))) {
    missing.push(
      "DRAWBRIDGE_IMAGES is not set. Push the images with packages/images/build.sh --push registry.example.com/drawbridge, and name that registry in it.",
    );
  }
  return missing;
}

function kubectl(...args: string[]) {
  return spawnSync("kubectl", [...args, "--request-timeout=15s"], { encoding: "utf8" });
}
