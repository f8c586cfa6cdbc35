/** Takes away what a fault left that was not healed: the drill was killed, or the fault was only begun. */
import { startNode, status, thawNode } from "@drawbridge-iac/lab";
import { kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { inNode, lab, labNodes } from "../support/lab/nodes.ts";
import { stoppedBelow } from "../support/lab/processes.ts";
import { bringBack } from "./images.ts";

/** What marks the objects that faults make. */
export const drillLabels = { "test.drawbridge.dev/drill": "fault" };
const marked = Object.entries(drillLabels)
  .map(([name, value]) => `${name}=${value}`)
  .join(",");
/** The table of the packet filter in which faults of the network are, on each node. */
export const drillTable = "inet drawbridge_drill";
/** The taint of a node that is switched off. */
export const outOfService = "node.kubernetes.io/out-of-service";

export async function repair(): Promise<void> {
  const now = await status(lab);
  for (const { name, state } of "nodes" in now ? now.nodes : []) {
    if (state === "frozen") await thawNode(lab, name);
    if (state === "stopped") await startNode(lab, name);
  }
  for (const { name, layout } of await labNodes()) {
    await inNode(name, "mount", ["umount", layout.podLogs]);
    for (const pid of stoppedBelow(layout.config, layout.cgroup)) process.kill(pid, "SIGCONT");
    await clearNetwork(name);
    await bringBack(name);
    await run("kubectl", ["taint", "node", name, `${outOfService}-`]);
    await kubectl(["uncordon", name]);
  }
  await kubectl([
    "delete",
    "envoyfilters,resourcequotas",
    "--all-namespaces",
    "-l",
    marked,
    "--ignore-not-found",
  ]);
}

/** Takes away all that faults did to the network of a node. */
export async function clearNetwork(node: string): Promise<void> {
  // What is not there yet can be deleted once it is declared.
  await inNode(node, "net", ["nft", "-f", "-"], `table ${drillTable}\ndelete table ${drillTable}\n`);
}
