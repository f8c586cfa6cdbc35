/**
 * The process outside of a machine: ends with it, and with all that it stands on. Its arguments are the plan's path and the
 * node's name.
 */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { filled } from "@drawbridge-iac/drawbridge/src/kit/program";
import { initSh, powerSh } from "../../generated/programs.ts";
import { enterCgroup } from "../host/cgroups.ts";
import { cardOf } from "../nodes/wires.ts";
import { memoryMib, readPlan } from "../plan.ts";
import { diskOf, fstab } from "./disk.ts";

const plan = await readPlan(process.argv[2] ?? "");
const { layout, machine, nodes, tools } = plan;
const node = nodes.find(({ name }) => name === process.argv[3]);
if (node === undefined || machine === undefined) throw new Error(`no "${process.argv[3]}" is a machine`);

const folder = dirname(node.layout.record);
const env = {
  ...process.env,
  DEBIAN: machine.debian,
  INIT: filled(initSh, {
    SUPERVISOR: machine.supervisor,
    PLAN: layout.plan,
    NAME: node.name,
  }),
  FSTAB: fstab(node),
  COPIED: [layout.plan, machine.supervisor, layout.certificates, layout.kubeconfigs].join(" "),
  SHARED: folder,
  // The folder of all programs, each of which is in `<family>/bin`.
  READ_ONLY: join(dirname(tools.runc), "../.."),
  CARDS: nodes
    .filter((other) => other !== node)
    .map(cardOf)
    .join(" "),
  ACCELERATOR: machine.accelerator,
  MEMORY: String(memoryMib),
  DISK: diskOf(node),
};
// What it starts can be frozen with it.
await enterCgroup(node.layout.cgroup);
const child = spawn("sh", ["-euc", powerSh], { env, stdio: ["ignore", "inherit", "inherit"] });
child.once("exit", (code, signal) => {
  console.error(`the machine is off (${signal ?? `exit code ${code}`})`);
  process.exit(1);
});
