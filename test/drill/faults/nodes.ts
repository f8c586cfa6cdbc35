/** Nodes other than the first: frozen for less than it takes to be given up, lost, switched off and on, and emptied. */
import { freezeNode, startNode, stopNode, thawNode } from "@drawbridge-iac/lab";
import { kubectl, run } from "../../../scripts/lib/lab/lab.ts";
import { drainSeconds } from "../../support/lab/cluster.ts";
import { givenUp, lab, uncordon } from "../../support/lab/nodes.ts";
import { tunnelsIn } from "../../support/stacks/gateways.ts";
import { type Fault, type MayEnd, nothing } from "../fault.ts";
import { frpEndsOn, podsOn, teamsOn } from "../placement.ts";
import { outOfService } from "../repair.ts";
import { picked } from "../schedule.ts";
import { evictableTeam, frpServer, gateway } from "../teams.ts";
import { containersReady } from "../whole.ts";

const others = ["lab-node-2", "lab-node-3"];

/** What ends with a node: the containers there, and what goes through the proxies and the frp server there. */
async function lostWith(node: string): Promise<MayEnd> {
  const counts = await Promise.all((await podsOn(gateway, node)).map((pod) => tunnelsIn(gateway, pod)));
  return {
    ...nothing,
    containers: await teamsOn(node),
    tunnels: counts.reduce((sum, count) => sum + count, 0),
    frp: (await podsOn(frpServer, node)).length > 0,
  };
}

export const nodes: readonly Fault[] = [
  {
    name: "node-frozen",
    lasts: [3, 20],
    async inject(pick) {
      const node = picked(others, pick);
      const frp = (await frpEndsOn(node)) > 0;
      await freezeNode(lab, node);
      return { target: node, mayEnd: { ...nothing, frp }, heal: () => thawNode(lab, node) };
    },
  },
  {
    name: "node-lost",
    lasts: [0, 0],
    async inject(pick) {
      const node = picked(others, pick);
      const mayEnd = await lostWith(node);
      await stopNode(lab, node);
      // As packages/lab/README.md says: what the lost node had moves once someone says that it is off.
      const heal = async () => {
        try {
          await givenUp(node);
          await kubectl(["taint", "node", node, `${outOfService}=nodeshutdown:NoExecute`]);
          await containersReady();
        } finally {
          await startNode(lab, node);
          await run("kubectl", ["taint", "node", node, `${outOfService}-`]);
        }
      };
      return { target: node, mayEnd, heal };
    },
  },
  {
    name: "node-power-cycled",
    lasts: [0, 5],
    async inject(pick) {
      const node = picked(others, pick);
      const mayEnd = await lostWith(node);
      await stopNode(lab, node);
      return { target: node, mayEnd, heal: () => startNode(lab, node) };
    },
  },
  {
    name: "node-drained",
    lasts: [0, 5],
    async inject(pick) {
      const node = picked(others, pick);
      const mayEnd = await lostWith(node);
      await kubectl(["cordon", node]);
      // Whose budget lets nobody evict it is deleted, as the page says.
      for (const team of mayEnd.containers.filter((one) => one !== evictableTeam)) {
        await kubectl(["-n", team, "delete", "pod", `${team}-0`]);
      }
      await kubectl(["drain", node, "--delete-emptydir-data", "--force", "--timeout=100s"]);
      return { target: node, mayEnd: { ...mayEnd, grace: drainSeconds }, heal: () => uncordon(node) };
    },
  },
];
