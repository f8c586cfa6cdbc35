/** Nodes other than the first: frozen for less than it takes to be given up, and lost. */
import { freezeNode, startNode, stopNode, thawNode } from "@drawbridge-iac/lab";
import { tunnelsIn } from "../../support/gateways.ts";
import { getObject, kubectl, run } from "../../support/lab.ts";
import { givenUp, lab, type PodObject, readyAgain } from "../../support/nodes.ts";
import { type Fault, type MayEnd, nothing } from "../fault.ts";
import { gateway, teams } from "../platform.ts";
import { picked } from "../schedule.ts";
import { containersReady, proxiesReady } from "../whole.ts";

const others = ["lab-node-2", "lab-node-3"];
const outOfService = "node.kubernetes.io/out-of-service";

async function podsOn(namespace: string, node: string): Promise<string[]> {
  const selected = ["-n", namespace, "pods", "--field-selector", `spec.nodeName=${node}`];
  const { items } = await getObject<{ items: PodObject[] }>(selected);
  return items.map(({ metadata }) => metadata.name);
}

/** What ends with a node: the containers there, and what goes through the proxies there. */
async function lostWith(node: string): Promise<MayEnd> {
  const found = await Promise.all(
    teams.map(async (team) => ((await podsOn(team, node)).length > 0 ? [team] : [])),
  );
  const counts = await Promise.all((await podsOn(gateway, node)).map((pod) => tunnelsIn(gateway, pod)));
  return { containers: found.flat(), tunnels: counts.reduce((sum, count) => sum + count, 0) };
}

async function whole(node: string): Promise<void> {
  await readyAgain(node);
  await containersReady();
  await proxiesReady();
}

export const nodes: readonly Fault[] = [
  {
    name: "node-frozen",
    lasts: [3, 20],
    async inject(pick) {
      const node = picked(others, pick);
      await freezeNode(lab, node);
      const heal = async () => {
        await thawNode(lab, node);
        await whole(node);
      };
      return { target: node, mayEnd: nothing, heal };
    },
  },
  {
    name: "node-lost",
    lasts: [0, 0],
    async inject(pick) {
      const node = picked(others, pick);
      const mayEnd = await lostWith(node);
      await stopNode(lab, node);
      // As docs/lab.md says: what the lost node had moves once somebody says that it is off.
      const heal = async () => {
        try {
          await givenUp(node);
          await kubectl(["taint", "node", node, `${outOfService}=nodeshutdown:NoExecute`]);
          await containersReady();
        } finally {
          await startNode(lab, node);
          await run("kubectl", ["taint", "node", node, `${outOfService}-`]);
        }
        await whole(node);
      };
      return { target: node, mayEnd, heal };
    },
  },
];
