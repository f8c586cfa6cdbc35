/** What of the platform is on a node. */
import { getObject } from "../../scripts/lib/lab/lab.ts";
import type { PodObject } from "../support/lab/nodes.ts";
import { frpServer, frpTeam, type Team, teams } from "./teams.ts";

export async function podsOn(namespace: string, node: string): Promise<string[]> {
  const selected = ["-n", namespace, "pods", "--field-selector", `spec.nodeName=${node}`];
  const { items } = await getObject<{ items: PodObject[] }>(selected);
  return items.map(({ metadata }) => metadata.name);
}

export async function teamsOn(node: string): Promise<Team[]> {
  const found = await Promise.all(
    teams.map(async (team) => ((await podsOn(team, node)).includes(`${team}-0`) ? [team] : [])),
  );
  return found.flat();
}

/**
 * How many of frp's two ends, its server and its client, are there. They give up each other, and with it the sessions
 * between them, when one does not hear of the other for some ten seconds.
 */
export async function frpEndsOn(node: string): Promise<number> {
  const [servers, containers] = await Promise.all([podsOn(frpServer, node), teamsOn(node)]);
  return (servers.length > 0 ? 1 : 0) + (containers.includes(frpTeam) ? 1 : 0);
}
