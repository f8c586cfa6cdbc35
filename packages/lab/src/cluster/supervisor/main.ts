/**
 * The supervisor: runs as the second process of an instance, below an init that collects orphans, and lives as long as the
 * instance does. Its only argument is the plan's path.
 */
import { writeFile } from "node:fs/promises";
import { KubeClient } from "../../kube/client.ts";
import { httpTransport } from "../../kube/transport.ts";
import { nodeName } from "../addresses.ts";
import { apiConnection } from "../pki/credentials.ts";
import { readPlan } from "../plan.ts";
import { runSteps, StepError } from "./graph.ts";
import { instanceSteps } from "./instance.ts";
import { Keeper } from "./keeper.ts";
import { makeMounts } from "./mounts.ts";
import { until } from "./probes.ts";
import { type InstanceStatus, writeStatus } from "./status.ts";

const plan = await readPlan(process.argv[2] ?? "");
const status: InstanceStatus = { phase: "starting", steps: [], programs: [] };
const keepers: Keeper[] = [];
const tell = (change: Partial<InstanceStatus> = {}) => {
  Object.assign(status, change, { programs: keepers.map(({ state }) => state) });
  writeStatus(plan.layout.status, status);
};

const { programs, others } = instanceSteps(
  plan,
  new KubeClient(httpTransport(await apiConnection(plan.layout.certificates, "admin"))),
);
const programSteps = programs.map((program) => ({
  name: program.name,
  after: program.after,
  run: () => {
    const keeper = new Keeper(program, plan.layout.logs, tell);
    keepers.push(keeper);
    keeper.start();
    return until(program.ready);
  },
}));

tell();
try {
  await writeFile("/proc/sys/kernel/hostname", nodeName);
  await makeMounts(plan.layout);
  await runSteps([...others, ...programSteps], (time) => tell({ steps: [...status.steps, time] }));
  tell({ phase: "ready", seconds: Math.max(...status.steps.map(({ ended }) => ended)) });
} catch (error) {
  // It stays, so that what runs can be looked at; `up` reads this and ends the instance.
  console.error(error);
  const failedStep = error instanceof StepError ? { failedStep: error.step } : {};
  tell({ phase: "failed", error: error instanceof Error ? error.message : String(error), ...failedStep });
}
