import { mkdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { identify } from "./host/processes.ts";
import { beginNode, nodeReady, prepareNode, startSupervisor } from "./nodes/life.ts";
import { makeCredentials } from "./pki/credentials.ts";
import { type Plan, writePlan } from "./plan.ts";
import { linkPrevious } from "./previous.ts";
import { type InstanceRecord, type Ready, waitUntilReady, writeRecord } from "./records.ts";

/** Makes the instance's folder, with the record of this process. No other may take the same name meanwhile. */
export async function takeName({ layout, name }: Plan): Promise<InstanceRecord> {
  const starter = identify(process.pid);
  if (starter === undefined) throw new Error("this process is not listed in /proc; is it mounted?");
  const record = { name, starter };
  await mkdir(layout.root, { recursive: true });
  await writeRecord(layout, record);
  return record;
}

/** Starts an instance's processes from nothing, under the name that was taken for it, and waits for them. */
export async function launch(plan: Plan, taken: InstanceRecord): Promise<Ready> {
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
  await writeRecord(layout, { ...taken, init: await startSupervisor(plan, first) });
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
