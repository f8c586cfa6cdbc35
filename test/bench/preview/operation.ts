/** One Pulumi operation in a process of its own, so that what it takes is its alone. The job comes as an argument. */
import { mkdirSync } from "node:fs";
import type { Job, Outcome } from "./job.ts";

const job: Job = JSON.parse(process.argv[2] ?? "");

/** Seconds of the clock and of the processor since the last call. */
let last = { clock: performance.now(), cpu: process.cpuUsage() };
function lap(): { clock: number; cpu: number } {
  const cpu = process.cpuUsage(last.cpu);
  const passed = { clock: (performance.now() - last.clock) / 1000, cpu: (cpu.user + cpu.system) / 1_000_000 };
  last = { clock: performance.now(), cpu: process.cpuUsage() };
  return passed;
}

const { program } = await import(job.writing === "raw" ? "./raw.ts" : "./components.ts");
// A program with the provider's own limits need not import the whole package.
const k8s = job.raisedLimits ? await import("@pulumi/kubernetes") : undefined;
const start = lap();

mkdirSync(job.backend, { recursive: true });
const { LocalWorkspace, PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
const limits = { kubeClientSettings: { qps: 500, burst: 1000 } };
const stack = await LocalWorkspace.createOrSelectStack(
  {
    stackName: "bench",
    projectName: "bench",
    program: async () => program(job, k8s && new k8s.Provider("cluster", limits)),
  },
  {
    pulumiCommand: await PulumiCommand.get(job.cli.root === undefined ? {} : { root: job.cli.root }),
    projectSettings: { name: "bench", runtime: "nodejs" },
    envVars: {
      ...job.cli.env,
      PULUMI_BACKEND_URL: `file://${job.backend}`,
      PULUMI_CONFIG_PASSPHRASE: "only for the bench",
    },
  },
);

lap();
const changes = await operate();
const operation = lap();
const outcome: Outcome = {
  start: start.clock,
  wall: start.clock + operation.clock,
  programCpu: start.cpu + operation.cpu,
  programMemory: process.resourceUsage().maxRSS * 1024,
  changes,
};
process.stdout.write(JSON.stringify(outcome));

async function operate(): Promise<Readonly<Record<string, number>>> {
  if (job.operation === "preview") return (await stack.preview()).changeSummary;
  const { summary } = await stack[job.operation]();
  return { ...summary.resourceChanges };
}
