import { spawn } from "node:child_process";
import { constants } from "node:os";
import { inside } from "./host/processes.ts";
import { importArguments, importImage } from "./image-store.ts";
import { layoutOf } from "./layout.ts";
import { runningNodes } from "./nodes/life.ts";
import { readPlan } from "./plan.ts";
import { runningInit } from "./records.ts";

/** The environment of a command in a lab: the caller's, with the way to the cluster and the lab's programs. */
export function labEnvironment(name: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const layout = layoutOf(name);
  return {
    ...env,
    KUBECONFIG: layout.kubeconfig,
    DRAWBRIDGE_LAB: name,
    PATH: `${env.PATH ?? "/usr/bin:/bin"}:${layout.bin}`,
  };
}

/**
 * Runs a command in the network of an instance and otherwise on the machine, with its files and processes. Standard
 * input, output and error are the caller's.
 * @param command program and arguments
 * @returns the exit code; 128 and the signal's number when a signal ended it, as a shell has it
 */
export async function execInLab(name: string, command: readonly string[]): Promise<number> {
  const [program, ...args] = inside(await runningInit(name), ["net"], command);
  const child = spawn(program, args, { stdio: "inherit", env: labEnvironment(name) });
  // A terminal sends its signals to both; the command decides what they mean.
  const ignore = () => {};
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, ignore);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
    });
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, ignore);
  }
}

/** Loads an image archive (as `docker save` writes it) into a running instance, on every node. */
export async function loadImage(name: string, tar: string): Promise<void> {
  await runningInit(name);
  const plan = await readPlan(layoutOf(name).plan);
  const nodes = await runningNodes(plan);
  const missing = plan.nodes.filter((node) => !nodes.some((one) => one.node === node));
  if (missing.length > 0) {
    throw new Error(
      `an image goes to every node, and ${missing.map((one) => one.name).join(", ")} is stopped; start it first`,
    );
  }
  if (plan.machine !== undefined && !plan.machine.archives.includes(tar)) {
    throw new Error(
      "the machine of this lab has its images on its disk and takes no other; give them to `up` as `images`",
    );
  }
  for (const { init } of nodes.filter(({ node }) => !node.machine)) {
    await importImage(inside(init, ["mount", "net", "pid"], [plan.tools.ctr, ...importArguments]), tar);
  }
}
