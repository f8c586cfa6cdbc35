import { mkdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { cacheDir, lock } from "../cache.ts";
import type { ImageName } from "../images/index.ts";
import { preflight } from "../preflight.ts";
import type { Progress } from "../progress.ts";
import { makeCredentials } from "./credentials.ts";
import { identify, isAlive } from "./host/processes.ts";
import { down } from "./instance.ts";
import { layoutOf, stateDir } from "./layout.ts";
import { beginNode, nodeReady, prepareNode, startSupervisor } from "./nodes/life.ts";
import { checkedNodes, sharedNodes } from "./nodes/plan.ts";
import { type Plan, readPlan, writePlan } from "./plan.ts";
import { podImages, prepare, toolsFor } from "./prepare.ts";
import {
  checkedName,
  type InstanceRecord,
  type Ready,
  readRecord,
  waitUntilReady,
  writeRecord,
} from "./records.ts";
import { linkPrevious } from "./upgrade.ts";

export interface UpOptions {
  /** What the instance is called. Default: `default`. */
  name?: string;
  /** How many nodes it has, 1 to 9. Default: 1. */
  nodes?: number;
  /** Whether one further node is an emulated machine with a kernel of its own. Default: no. */
  machine?: boolean;
  /** Whether it begins with the versions before, to be upgraded. Default: no. */
  previous?: boolean;
  /** Images to load. Default: all that pods use. */
  images?: readonly ImageName[];
  /** Whether a failed start leaves everything as it is, to be looked at. Default: it is brought down. */
  keep?: boolean;
}

/** An instance that is ready for use. */
export interface Lab extends Ready {
  name: string;
  /** File with the administrator's access; its address is reachable by `exec` alone. */
  kubeconfig: string;
  /** Whether this call started it. */
  started: boolean;
  /** Whether it began with the versions before. */
  previous: boolean;
}

/**
 * Starts an instance and waits until it is ready. What is missing is built first. An instance that runs is left as it is.
 */
export async function up(options: UpOptions, progress: Progress): Promise<Lab> {
  const name = checkedName(options.name ?? "default");
  if (options.nodes !== undefined) checkedNodes(options.nodes);
  const before = await running(options);
  if (before !== undefined) return before;
  const { images = podImages, previous, machine } = options;
  if (machine && previous) throw new Error("a machine cannot be upgraded; leave out --machine or --previous");
  await preflight(stateDir(), progress, await toolsFor(images, progress, previous), machine);
  const plan = await prepare(name, images, progress, options.nodes, previous, machine);
  const taken = await take(plan);
  if ("started" in taken) return taken;
  try {
    const ready = await progress.step(`cluster "${name}": starting`, () => launch(plan, taken));
    return { name, kubeconfig: plan.layout.kubeconfig, started: true, previous: previous === true, ...ready };
  } catch (error) {
    if (options.keep !== true) await down(name);
    throw error;
  }
}

/**
 * Takes the name, or finds the instance that someone else started during the builds' minutes. One process at a time: what
 * is removed as a crashed instance's must not be the folder that another one has just begun.
 */
async function take(plan: Plan): Promise<InstanceRecord | Lab> {
  const unlock = await lock(join(cacheDir(), "names.lock"), () => {});
  try {
    const nodes = sharedNodes(plan.nodes).length;
    const meanwhile = await running({ name: plan.name, nodes, machine: plan.machine !== undefined });
    if (meanwhile !== undefined) return meanwhile;
    // What a crashed instance of this name left behind.
    await down(plan.name);
    return await takeName(plan);
  } finally {
    await unlock();
  }
}

/** Makes the instance's folder, with the record of this process. No other may take the same name meanwhile. */
async function takeName({ layout, name }: Plan): Promise<InstanceRecord> {
  const starter = identify(process.pid);
  if (starter === undefined) throw new Error("this process is not listed in /proc; is it mounted?");
  const record = { name, starter };
  await mkdir(layout.root, { recursive: true });
  writeRecord(layout, record);
  return record;
}

/**
 * The instance of a name where one runs; fails where another process is just starting it, or it is another one than is
 * asked for.
 */
async function running({ name = "default", nodes, previous, machine }: UpOptions): Promise<Lab | undefined> {
  const layout = layoutOf(name);
  const record = await readRecord(layout);
  if (record === undefined) return undefined;
  if (record.init !== undefined && isAlive(record.init)) {
    const plan = await readPlan(layout.plan);
    const has = sharedNodes(plan.nodes).length;
    const began = plan.previous !== undefined;
    if (previous === true && !began) {
      throw new Error(
        `the lab "${name}" did not begin with the versions before; end it first: drawbridge-lab down --name ${name}`,
      );
    }
    if (machine === true && plan.machine === undefined) {
      throw new Error(`the lab "${name}" has no machine; end it first: drawbridge-lab down --name ${name}`);
    }
    if (nodes !== undefined && nodes !== has) {
      throw new Error(
        `the lab "${name}" runs with ${has} node${has === 1 ? "" : "s"}, not ${nodes}; end it first: drawbridge-lab down --name ${name}`,
      );
    }
    const ready = await waitUntilReady(layout);
    return { name, kubeconfig: layout.kubeconfig, started: false, previous: began, ...ready };
  }
  if (!isAlive(record.starter)) return undefined;
  throw new Error(`the lab "${name}" is being started by process ${record.starter.pid}; wait for it`);
}

/** Starts an instance's processes from nothing, under the name that was taken for it, and waits for them. */
async function launch(plan: Plan, taken: InstanceRecord): Promise<Ready> {
  const { layout, nodes } = plan;
  const [first, ...further] = nodes;
  if (first === undefined) throw new Error("a plan has at least one node");
  await mkdir(layout.bin);
  await Promise.all([
    makeCredentials(plan),
    writePlan(plan),
    linkPrevious(plan),
    ...nodes.map((node) => prepareNode(plan, node)),
    ...plan.clientTools.map((tool) => symlink(tool, join(layout.bin, basename(tool)))),
  ]);
  writeRecord(layout, { ...taken, init: await startSupervisor(plan, first) });
  const ready = await waitUntilReady(layout);
  const since = performance.now();
  // Nodes begin one after the other, so that each is wired to those before it, and get ready side by side.
  for (const node of further) await beginNode(plan, node);
  const steps = await Promise.all(
    further.map(async (node) => {
      await nodeReady(node);
      return {
        name: node.name,
        began: ready.seconds,
        ended: ready.seconds + (performance.now() - since) / 1000,
      };
    }),
  );
  return {
    seconds: Math.max(ready.seconds, ...steps.map(({ ended }) => ended)),
    steps: [...ready.steps, ...steps],
  };
}
