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

/** Makes the cgroup below which kubelet puts all pods; it insists that this one is there already. */
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
