/**
 * The supervisor of one node: runs as the second process of its namespaces, below an init that collects orphans, and
 * lives as long as they do. The first node's has the control plane, too. Its arguments are the plan's path and the
 * node's name.
 */
import { writeFile } from "node:fs/promises";
import { mountsSh } from "../../generated/programs.ts";
import { KubeClient } from "../../kube/client.ts";
import { httpTransport } from "../../kube/transport.ts";
import { apiConnection } from "../credentials.ts";
import { enterCgroup } from "../host/cgroups.ts";
import { exec } from "../host/processes.ts";
import { lookEveryMs, stepSeconds } from "../nodes/plan.ts";
import { readPlan } from "../plan.ts";
import { type InstanceStatus, writeStatus } from "../records.ts";
import { runSteps, StepError } from "./graph.ts";
import { Keeper } from "./keeper.ts";
import { partsOf } from "./parts.ts";
import { until } from "./probes.ts";

const plan = await readPlan(process.argv[2] ?? "");
const node = plan.nodes.find(({ name }) => name === process.argv[3]);
if (node === undefined) throw new Error(`the plan has no node "${process.argv[3]}"`);
const status: InstanceStatus = { phase: "starting", steps: [], programs: [] };
const keepers: Keeper[] = [];
const tell = (change: Partial<InstanceStatus> = {}) => {
  Object.assign(status, change, { programs: keepers.map(({ state }) => state) });
  writeStatus(node.layout, status);
};

const { programs, others } = partsOf(
  plan,
  node,
  new KubeClient(httpTransport(await apiConnection(plan.layout.certificates, "admin"))),
);
const programSteps = programs.map((program) => ({
  name: program.name,
  after: program.after,
  run: () => {
    const keeper = new Keeper(program, node.layout.logs, tell);
    keepers.push(keeper);
    keeper.start();
    return until(program.ready, stepSeconds(node), lookEveryMs(node));
  },
}));

tell();
try {
  // What it starts from here on can be frozen with the node's pods.
  if (node !== plan.nodes[0]) await enterCgroup(node.layout.cgroup);
  await writeFile("/proc/sys/kernel/hostname", node.name);
  // They would hide files written before, so no program may run yet. A machine has its own file systems already.
  const mounts = ["-euc", mountsSh, "sh", plan.layout.root, node.layout.machineLogs];
  if (!node.machine) await exec("sh", mounts);
  await runSteps([...others, ...programSteps], (time) => tell({ steps: [...status.steps, time] }));
  tell({ phase: "ready", seconds: Math.max(...status.steps.map(({ ended }) => ended)) });
} catch (error) {
  // It stays, so that what runs can be looked at; `up` reads this and ends the instance.
  console.error(error);
  const failedStep = error instanceof StepError ? { failedStep: error.step } : {};
  tell({ phase: "failed", error: error instanceof Error ? error.message : String(error), ...failedStep });
}
