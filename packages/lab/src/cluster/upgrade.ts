/**
 * A lab that starts with previous versions: what it runs first, what each program is replaced by, and how, as an upgrade of
 * a cluster does it.
 */
import { mkdir, readFile, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fieldManager } from "../kube/client.ts";
import type { ToolName } from "../tools/index.ts";
import { exec, inside } from "./host/processes.ts";
import type { IstioObjects } from "./istio/chart.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { runningNodes } from "./nodes/life.ts";
import type { RunningNode } from "./nodes/wires.ts";
import { type ClusterTool, type Plan, type Previous, readPlan } from "./plan.ts";
import { readStatus, runningInit } from "./records.ts";
import { until } from "./supervisor/probes.ts";

/** The processes that can be replaced while a lab runs, by their names in its status, which are their tools'. */
const tools = [
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "kube-proxy",
] as const satisfies readonly ClusterTool[];

/** The tools of previous versions that such a lab needs besides the others. */
export const previousTools = [
  ...tools.map((tool) => `previous-${tool}` as const),
  "previous-istio-charts",
] as const satisfies readonly ToolName[];

/** Where the supervisors find a program that is replaced while they run: a link, since they start the same path again. */
const linkOf = ({ programs }: Layout, tool: string) => join(programs, tool);

/** Links to use in place of the programs that can be replaced. */
export function linkedTools(layout: Layout): Partial<Plan["tools"]> {
  return Object.fromEntries(tools.map((tool) => [tool, linkOf(layout, tool)]));
}

/** @param paths of all programs, including the previous ones */
export function previousOf(paths: Record<string, string>, istio: string): Previous {
  const each = (prefix: string) =>
    Object.fromEntries(tools.map((tool) => [tool, paths[`${prefix}${tool}`] ?? ""]));
  return { tools: each("previous-"), newer: each(""), istio };
}

/** Makes the links, each to the previous program. */
export async function linkPrevious({ layout, previous }: Plan): Promise<void> {
  if (previous === undefined) return;
  await mkdir(layout.programs);
  const links = Object.entries(previous.tools);
  await Promise.all(links.map(([tool, path]) => symlink(path, linkOf(layout, tool))));
}

/**
 * Puts the newer version in the place of a program and ends the older one as a service manager does; on every node that has
 * it. istiod's pods are replaced with the objects of the newer charts.
 */
export async function upgrade(lab: string, program: string): Promise<void> {
  await runningInit(lab);
  const plan = await readPlan(layoutOf(lab).plan);
  const { previous } = plan;
  if (previous === undefined)
    throw new Error(`the lab "${lab}" has the newest programs; start one with --previous`);
  if (program === "istiod") {
    await applyObjects(plan, previous.istio);
    await kubectl(plan, ["rollout", "status", "--namespace=istio-system", "deployment/istiod"]);
    return;
  }
  const newer = previous.newer[program];
  if (newer === undefined)
    throw new Error(`"${program}" is not replaced; use ${[...tools, "istiod"].join(", ")}`);
  const link = linkOf(plan.layout, program);
  await symlink(newer, `${link}.new`);
  await rename(`${link}.new`, link);
  for (const node of await runningNodes(plan)) await restart(node, program);
}

/** Ends a program of a node and waits until its supervisor has started it again. */
async function restart({ node, init }: RunningNode, program: string): Promise<void> {
  const look = async () => (await readStatus(node.layout))?.programs.find(({ name }) => name === program);
  const before = await look();
  if (before?.pid === undefined) return;
  // A process namespace hides the numbers of others, so the signal is sent from within.
  const [command, ...args] = inside(init, ["pid"], ["sh", "-c", `kill ${before.pid}`]);
  await exec(command, args);
  await until(async () => {
    const now = await look();
    return now?.pid !== undefined && now.restarts > before.restarts;
  });
}

/** As `helm upgrade` of Istio's charts does. */
async function applyObjects(plan: Plan, file: string): Promise<void> {
  const { definitions, others } = JSON.parse(await readFile(file, "utf8")) as IstioObjects;
  const apply = ["apply", "--server-side", "--force-conflicts", `--field-manager=${fieldManager}`, "-f", "-"];
  for (const items of [definitions, others])
    await kubectl(plan, apply, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
}

async function kubectl(
  { name, clientTools, layout }: Plan,
  args: readonly string[],
  input = "",
): Promise<void> {
  const program = clientTools.find((tool) => tool.endsWith("/kubectl")) ?? "kubectl";
  const [command, ...rest] = inside(
    await runningInit(name),
    ["net"],
    [program, `--kubeconfig=${layout.kubeconfig}`, ...args],
  );
  const child = exec(command, rest, { maxBuffer: 64 * 1024 * 1024 });
  child.child.stdin?.end(input);
  await child;
}
