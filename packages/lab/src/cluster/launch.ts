import { mkdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { identify, startInNamespaces } from "./host/processes.ts";
import { linkImages } from "./image-store.ts";
import { type InstanceRecord, type Ready, waitUntilReady, writeRecord } from "./instance.ts";
import { makeCredentials } from "./pki/credentials.ts";
import { type Plan, writePlan } from "./plan.ts";

/** Makes the instance's folder, with the record of who starts it. Nobody else may be taking the same name. */
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
  const { layout } = plan;
  await Promise.all([layout.logs, layout.config, layout.bin, layout.volumes].map((folder) => mkdir(folder)));
  await Promise.all([
    makeCredentials(layout),
    writePlan(plan),
    linkImages(plan.imageStore, layout.containerd),
    ...plan.clientTools.map((tool) => symlink(tool, join(layout.bin, basename(tool)))),
  ]);
  const supervisor = fileURLToPath(new URL("./supervisor/main.ts", import.meta.url));
  const init = await startInNamespaces(
    // tini collects what containers leave behind; it passes no signal on that would matter here.
    ["tini", "--", process.execPath, ...process.execArgv, supervisor, layout.plan],
    join(layout.logs, "supervisor.log"),
    { ...process.env, HOME: layout.root },
  );
  await writeRecord(layout, { ...taken, init });
  return waitUntilReady(layout);
}
