import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { removeCgroup } from "./host/cgroups.ts";
import { isAlive, kill } from "./host/processes.ts";
import { checkedName, readRecord } from "./instance.ts";
import { layoutOf } from "./layout.ts";

/**
 * Ends an instance and removes all that it left: processes, cgroups, state. Mounts, links and rules end with its
 * namespaces. Does nothing where nothing is left.
 * @returns whether there was a running one
 */
export async function down(name: string): Promise<boolean> {
  const layout = layoutOf(checkedName(name));
  const init = (await readRecord(layout))?.init;
  const running = init !== undefined && isAlive(init);
  if (running) await kill(init);
  await removeCgroup(layout.cgroup);
  await rm(layout.root, { recursive: true, force: true });
  // The last one to leave takes the common folder along.
  await rmdir(dirname(layout.root)).catch(() => {});
  return running;
}
