import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const mountPoint = "/sys/fs/cgroup";

/** Version 2 has one hierarchy, version 1 one per controller. */
function cgroupVersion(): "v1" | "v2" {
  return existsSync(join(mountPoint, "cgroup.controllers")) ? "v2" : "v1";
}

/** The folders that make up one cgroup: one per hierarchy. */
async function foldersOf(cgroup: string): Promise<string[]> {
  if (cgroupVersion() === "v2") return [join(mountPoint, cgroup)];
  const hierarchies = await readdir(mountPoint, { withFileTypes: true });
  return hierarchies.filter((entry) => entry.isDirectory()).map(({ name }) => join(mountPoint, name, cgroup));
}

/** Makes the cgroup below which kubelet puts all pods; kubelet does not start without it. */
export async function makeCgroup(cgroup: string): Promise<void> {
  for (const folder of await foldersOf(cgroup)) {
    await mkdir(folder, { recursive: true });
    // In version 1 a cgroup may use no processor and no memory until told which.
    for (const file of ["cpuset.mems", "cpuset.cpus"]) {
      const parents = join(folder, "..", file);
      if (folder.includes("/cpuset/") && existsSync(parents)) {
        await writeFile(join(folder, file), await readFile(parents, "utf8"));
      }
    }
  }
}

/**
 * Moves this process, with all that it will start, below a cgroup, beside the pods that kubelet puts there, so that all
 * of a node can be frozen at once. It neither limits nor counts anything.
 */
export async function enterCgroup(cgroup: string): Promise<void> {
  await makeCgroup(cgroup);
  const hierarchy = cgroupVersion() === "v2" ? mountPoint : join(mountPoint, "freezer");
  if (!existsSync(hierarchy)) {
    throw new Error("the cgroup controller freezer is off; switch it on, or start a lab of one node");
  }
  const folder = join(hierarchy, cgroup, "machine");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "cgroup.procs"), "0");
}

/** Stops every process of the cgroup and of all below it where it stands, at once; none of them can notice. */
export async function freeze(cgroup: string): Promise<void> {
  await setFrozen(cgroup, true);
}

/** Lets the processes go on. Does nothing if they are not frozen. */
export async function thaw(cgroup: string): Promise<void> {
  await setFrozen(cgroup, false);
}

export async function isFrozen(cgroup: string): Promise<boolean> {
  const text = await readFile(frozenFiles(cgroup).state, "utf8").catch(() => "");
  return /^(FROZEN|frozen 1)$/m.test(text);
}

/** `order`: the file that thaws or freezes, by the first or second of `words`. `state`: the file that says which. */
function frozenFiles(cgroup: string) {
  if (cgroupVersion() === "v2") {
    const at = (file: string) => join(mountPoint, cgroup, file);
    return { order: at("cgroup.freeze"), words: ["0", "1"], state: at("cgroup.events") };
  }
  const file = join(mountPoint, "freezer", cgroup, "freezer.state");
  return { order: file, words: ["THAWED", "FROZEN"], state: file };
}

async function setFrozen(cgroup: string, wanted: boolean): Promise<void> {
  const { order, words } = frozenFiles(cgroup);
  // A cgroup that does not exist is not frozen.
  if (!wanted && !existsSync(order)) return;
  await writeFile(order, words[Number(wanted)] ?? "");
  for (let attempt = 1; (await isFrozen(cgroup)) !== wanted; attempt += 1) {
    if (attempt === 100)
      throw new Error(`the cgroup ${cgroup} is not ${wanted ? "frozen" : "thawed"} after 10 s`);
    await sleep(100);
  }
}

/** Removes the cgroup and all below it. Its processes must have ended. */
export async function removeCgroup(cgroup: string): Promise<void> {
  for (const folder of await foldersOf(cgroup)) await removeTree(folder);
}

async function removeTree(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const below = await readdir(folder, { withFileTypes: true });
  for (const entry of below) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  // The kernel lets go of a cgroup a little after its last process is gone.
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rmdir(folder);
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
}
