import { mkdir, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { identify, startInNamespaces } from "./host/processes.ts";
import { linkImages } from "./image-store.ts";
import { type Ready, waitUntilReady, writeRecord } from "./instance.ts";
import { makeCredentials } from "./pki/credentials.ts";
import { type Plan, writePlan } from "./plan.ts";

/** Starts an instance's processes from nothing and waits for them. Fails when the name is taken. */
export async function launch(plan: Plan): Promise<Ready> {
  const { layout, name } = plan;
  const starter = identify(process.pid);
  if (starter === undefined) throw new Error("this process is not listed in /proc; is it mounted?");
  await mkdir(dirname(layout.root), { recursive: true });
  // Fails when another `up` of this name was faster.
  await mkdir(layout.root);
  await writeRecord(layout, { name, starter });
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
  await writeRecord(layout, { name, starter, init });
  return waitUntilReady(layout);
}
