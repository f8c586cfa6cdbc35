import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { removeCgroup, thaw } from "./host/cgroups.ts";
import { isAlive, kill } from "./host/processes.ts";
import { InstanceName, type Layout, layoutOf, stateDir } from "./layout.ts";
import { type NodeState, stateOf } from "./nodes/life.ts";
import type { NodePlan } from "./nodes/plan.ts";
import { readPlan } from "./plan.ts";
import { checkedName, type InstanceStatus, readRecord, readStatus } from "./records.ts";

/** The names of all instances, running or not. */
export async function instanceNames(): Promise<string[]> {
  try {
    return (await readdir(stateDir())).filter((name) => InstanceName.safeParse(name).success).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Ends an instance and removes all that it left: processes, cgroups, state. Mounts, links and rules end with its
 * namespaces. Does nothing where nothing is left.
 * @returns whether there was a running one
 */
export async function down(name: string): Promise<boolean> {
  const layout = layoutOf(checkedName(name));
  const init = (await readRecord(layout))?.init;
  const running = init !== undefined && isAlive(init);
  // A frozen process does not die before it is thawed.
  for (const { layout: own } of await furtherNodes(layout)) await thaw(own.cgroup);
  if (running) await kill(init);
  await removeCgroup(layout.cgroup);
  await rm(layout.root, { recursive: true, force: true });
  // The last instance to go takes the common folder along.
  await rmdir(dirname(layout.root)).catch(() => {});
  return running;
}

/** The nodes after the first; none if the instance did not get as far as its plan. */
async function furtherNodes(layout: Layout): Promise<NodePlan[]> {
  return existsSync(layout.plan) ? (await readPlan(layout.plan)).nodes.slice(1) : [];
}

/** An instance as `status` shows it: how far it has come, and whether it is there at all. */
export type LabStatus = { name: string } & (
  | { phase: "absent" | "preparing" | "stopped" }
  | (InstanceStatus & { kubeconfig: string; nodes: NodeStatus[] })
);

/** A further node as `status` shows it. */
export interface NodeStatus {
  name: string;
  state: NodeState;
  programs: InstanceStatus["programs"];
}

/** Looks at an instance; an unused name is `absent`, an instance whose processes have ended `stopped`. */
export async function status(name: string): Promise<LabStatus> {
  const layout = layoutOf(checkedName(name));
  const record = await readRecord(layout);
  if (record === undefined) return { name, phase: "absent" };
  if (record.init === undefined) {
    return { name, phase: isAlive(record.starter) ? "preparing" : "stopped" };
  }
  if (!isAlive(record.init)) return { name, phase: "stopped" };
  const told = await readStatus(layout);
  if (told === undefined) return { name, phase: "preparing" };
  const nodes = (await furtherNodes(layout)).map(async (node) => {
    const state = await stateOf(node);
    const programs = state === "stopped" ? [] : ((await readStatus(node.layout))?.programs ?? []);
    return { name: node.name, state, programs };
  });
  return { name, ...told, kubeconfig: layout.kubeconfig, nodes: await Promise.all(nodes) };
}
