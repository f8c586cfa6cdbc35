/** Replaces a program of a lab that started with previous versions, as an upgrade of a cluster does. */
import { execFile } from "node:child_process";
import { readFile, rename, symlink } from "node:fs/promises";
import { promisify } from "node:util";
import { fieldManager } from "../kube/client.ts";
import { inside } from "./host/processes.ts";
import type { IstioObjects } from "./istio/chart.ts";
import { layoutOf } from "./layout.ts";
import { runningNodes } from "./nodes/life.ts";
import type { RunningNode } from "./nodes/wires.ts";
import { type Plan, readPlan } from "./plan.ts";
import { linkOf, type ReplaceableProgram, replaceable } from "./previous.ts";
import { runningInit } from "./records.ts";
import { until } from "./supervisor/probes.ts";
import { readStatus } from "./supervisor/status.ts";

const run = promisify(execFile);

/**
 * Puts the newer version in the place of a program and ends the older one as a service manager does; on every node that has
 * it. Before istiod goes, its objects become those of the newer charts.
 */
export async function upgrade(lab: string, program: string): Promise<void> {
  await runningInit(lab);
  const plan = await readPlan(layoutOf(lab).plan);
  const { previous } = plan;
  if (previous === undefined)
    throw new Error(`the lab "${lab}" has the newest programs; start one with --previous`);
  const names = Object.keys(replaceable);
  if (!names.includes(program)) throw new Error(`"${program}" is not replaced; use ${names.join(", ")}`);
  const tool = replaceable[program as ReplaceableProgram];
  if (program === "istiod") await applyObjects(plan, previous.istio);
  const link = linkOf(plan.layout, tool);
  await symlink(previous.newer[tool] ?? "", `${link}.new`);
  await rename(`${link}.new`, link);
  for (const node of await runningNodes(plan)) await restart(node, program);
}

/** Ends a program of a node and waits until its supervisor has started it again. */
async function restart({ node, init }: RunningNode, program: string): Promise<void> {
  const look = async () =>
    (await readStatus(node.layout.status))?.programs.find(({ name }) => name === program);
  const before = await look();
  if (before?.pid === undefined) return;
  // A process namespace hides the numbers of others, so the signal is sent from within.
  const [command, ...args] = inside(init, ["pid"], ["sh", "-c", `kill ${before.pid}`]);
  await run(command, args);
  await until(async () => {
    const now = await look();
    return now?.pid !== undefined && now.restarts > before.restarts;
  });
}

/** As `helm upgrade` of Istio's charts does. */
async function applyObjects(plan: Plan, file: string): Promise<void> {
  const { definitions, others } = JSON.parse(await readFile(file, "utf8")) as IstioObjects;
  const kubectl = plan.clientTools.find((tool) => tool.endsWith("/kubectl")) ?? "kubectl";
  const apply = ["apply", "--server-side", "--force-conflicts", `--field-manager=${fieldManager}`, "-f", "-"];
  for (const items of [definitions, others]) {
    const [command, ...args] = inside(
      await runningInit(plan.name),
      ["net"],
      [kubectl, `--kubeconfig=${plan.layout.kubeconfig}`, ...apply],
    );
    const child = run(command, args, { maxBuffer: 64 * 1024 * 1024 });
    child.child.stdin?.end(JSON.stringify({ apiVersion: "v1", kind: "List", items }));
    await child;
  }
}
