/** The life of all nodes but the first. A node is a set of processes in namespaces of its own, below the instance's. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freeze, isFrozen, thaw } from "../host/cgroups.ts";
import { isAlive, kill, type ProcessIdentity, startInNamespaces } from "../host/processes.ts";
import { linkImages } from "../image-store.ts";
import { layoutOf } from "../layout.ts";
import { newDisk } from "../machine/disk.ts";
import { writeSupervisor } from "../machine/image.ts";
import { type Plan, readPlan } from "../plan.ts";
import {
  failure,
  type NodeRecord,
  type Ready,
  readRecord,
  readStatus,
  runningInit,
  waitUntilReady,
  writeRecord,
} from "../records.ts";
import { installDriver } from "../storage/volume.ts";
import { until } from "../supervisor/probes.ts";
import { type NodePlan, stepSeconds } from "./plan.ts";
import { type RunningNode, wire } from "./wires.ts";

/** State of a node: it works, stands still with all its processes, or is off like a machine without power. */
export type NodeState = "running" | "frozen" | "stopped";

/** Makes the folders that a node starts with, its images among them. */
export async function prepareNode(plan: Plan, node: NodePlan): Promise<void> {
  const { layout } = node;
  await Promise.all([layout.logs, layout.config, layout.volumes].map((at) => mkdir(at, { recursive: true })));
  if (node.machine && plan.machine !== undefined) {
    await Promise.all([newDisk(node, plan.machine.disk), writeSupervisor(plan.machine)]);
    return;
  }
  if (plan.nodes.length > 1) await installDriver(layout.kubelet, plan.layout.networkVolumes);
  await linkImages(plan.imageStore, layout.containerd);
}

/** Starts the first process of a node and what it supervises. */
export async function startSupervisor(
  { layout }: Plan,
  node: NodePlan,
  parent?: ProcessIdentity,
): Promise<ProcessIdentity> {
  const supervisor = node.machine ? "../machine/power.ts" : "../supervisor/main.ts";
  const path = fileURLToPath(new URL(supervisor, import.meta.url));
  return startInNamespaces(
    // tini collects what containers leave behind; it passes no signal on that would matter here.
    ["tini", "--", process.execPath, ...process.execArgv, path, layout.plan, node.name],
    join(node.layout.logs, "supervisor.log"),
    { ...process.env, HOME: layout.root },
    parent,
  );
}

/** Starts a further node that is not running, with wires to those that are. */
export async function beginNode(plan: Plan, node: NodePlan): Promise<void> {
  const parent = await runningInit(plan.name);
  // The status of its last run.
  await rm(node.layout.status, { force: true });
  const others = await runningNodes(plan);
  const own = { node, init: await startSupervisor(plan, node, parent) };
  writeRecord(node.layout, { name: node.name, init: own.init });
  // The wires' routes name the node's own address, so wait until its network is up.
  const isUp = async () =>
    (await readStatus(node.layout))?.steps.some(({ name }) => name === "network") ?? false;
  await until(async () => !isAlive(own.init) || (await isUp()), stepSeconds(node)).catch(async () => {
    throw await failure(node.layout, `${node.name} was not up within ${stepSeconds(node)} s`, "supervisor");
  });
  // `waitUntilReady` says how it ended.
  if (!isAlive(own.init)) return;
  for (const other of others) await wire(other, own);
}

/** Waits until a node that has begun is ready. */
export function nodeReady(node: NodePlan): Promise<Ready> {
  if (!node.machine) return waitUntilReady(node.layout);
  // Its kernel may hang with all that would tell.
  return waitUntilReady(
    node.layout,
    `the machine ${node.name} went off before it was ready`,
    stepSeconds(node),
  );
}

/** Starts a node that was stopped, and waits until it is ready again. */
export async function startNode(lab: string, name: string): Promise<void> {
  const { plan, node } = await furtherNode(lab, name);
  const state = await stateOf(node);
  if (state !== "stopped")
    throw new Error(`the node "${name}" is ${state}; only a stopped one can be started`);
  await beginNode(plan, node);
  await nodeReady(node);
}

/** Ends all processes of a node at once, as when its machine loses power. Its disk stays. */
export async function stopNode(lab: string, name: string): Promise<void> {
  const { node } = await furtherNode(lab, name);
  // A frozen process does not die before it is thawed.
  await thaw(node.layout.cgroup);
  const init = (await readRecord<NodeRecord>(node.layout))?.init;
  if (init !== undefined) await kill(init);
}

/** Stops all processes of a node where they stand. Its kernel still answers: connections stay open and go silent. */
export async function freezeNode(lab: string, name: string): Promise<void> {
  const { node } = await furtherNode(lab, name);
  if ((await stateOf(node)) === "stopped") throw new Error(`the node "${name}" is stopped; start it first`);
  await freeze(node.layout.cgroup);
}

/** Lets a frozen node go on. */
export async function thawNode(lab: string, name: string): Promise<void> {
  const { node } = await furtherNode(lab, name);
  await thaw(node.layout.cgroup);
}

/** The nodes whose processes run, the first among them. */
export async function runningNodes(plan: Plan): Promise<RunningNode[]> {
  const found = plan.nodes.map(async (node) => ({ node, init: await initOf(node) }));
  return (await Promise.all(found)).flatMap(({ node, init }) => (init === undefined ? [] : [{ node, init }]));
}

/** What a node does now. */
export async function stateOf(node: NodePlan): Promise<NodeState> {
  if ((await initOf(node)) === undefined) return "stopped";
  return (await isFrozen(node.layout.cgroup)) ? "frozen" : "running";
}

/** The first process of a node; undefined where it has ended, or never was. */
async function initOf({ layout }: NodePlan): Promise<ProcessIdentity | undefined> {
  const init = (await readRecord<NodeRecord>(layout))?.init;
  return init !== undefined && isAlive(init) ? init : undefined;
}

/** The node of that name; refuses the first one, without which there is no cluster. */
async function furtherNode(lab: string, name: string): Promise<{ plan: Plan; node: NodePlan }> {
  await runningInit(lab);
  const plan = await readPlan(layoutOf(lab).plan);
  const [first, ...further] = plan.nodes;
  const node = further.find((one) => one.name === name);
  if (node !== undefined) return { plan, node };
  const names = further.map((one) => one.name).join(", ");
  throw new Error(
    name === first?.name
      ? `the node "${name}" holds the control plane and lives as long as the lab; ${names === "" ? "this lab has no other: start one with --nodes" : `use ${names}`}`
      : `the lab "${lab}" has no node "${name}"; it has ${[first?.name, ...further.map((one) => one.name)].join(", ")}`,
  );
}
