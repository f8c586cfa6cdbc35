/** Images that nodes have, which are put aside and brought back. */
import { labLayout } from "@drawbridge-iac/lab";
import { containerdSocket } from "../../packages/lab/src/cluster/layout.ts";
import { readPlan } from "../../packages/lab/src/cluster/plan.ts";
import { inNode, lab } from "../support/lab/nodes.ts";

/** Under which name containerd keeps what kubelet is not to find. */
const aside = "aside.invalid/";

async function images(node: string, ...args: readonly string[]): Promise<string> {
  const { tools } = await readPlan(labLayout(lab).plan);
  const command = [tools.ctr, `--address=${containerdSocket}`, "--namespace=k8s.io", "images", ...args];
  const { code, stdout, stderr } = await inNode(node, "mount", command);
  if (code !== 0) throw new Error(`${args.join(" ")} on ${node}: ${stderr.trim()}`);
  return stdout;
}

async function rename(node: string, from: string, to: string): Promise<void> {
  await images(node, "tag", "--force", from, to);
  await images(node, "remove", from);
}

/** From now on the node has no such image, and there is no registry that it could come from. */
export async function putAside(node: string, image: string): Promise<void> {
  await rename(node, image, `${aside}${image}`);
}

export async function bringBack(node: string): Promise<void> {
  const kept = (await images(node, "list", "--quiet")).split("\n").filter((name) => name.startsWith(aside));
  for (const name of kept) await rename(node, name, name.slice(aside.length));
}
