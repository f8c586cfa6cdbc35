import { basename, dirname, join } from "node:path";
import { cached } from "../../cache.ts";
import type { Progress } from "../../progress.ts";
import { fingerprint } from "../../tools/module-files.ts";
import { run } from "../../tools/run.ts";
import type { NodeLayout } from "../layout.ts";
import type { NodePlan } from "../nodes/plan.ts";

/** The machine's own disk, which outlives its power; what it starts with is read from the one that all labs share. */
export const diskOf = ({ layout }: NodePlan): string => join(dirname(layout.record), "disk.qcow2");

/** A node's folders that lie on the disk. */
const folders = [
  "containerd",
  "kubelet",
  "podLogs",
  "cni",
  "volumes",
] as const satisfies (keyof NodeLayout)[];

/** A file system with these folders, in the first of them the images. */
const makeDisk = `mount -t tmpfs tmpfs /run
mkdir /run/disk
cd /run/disk
mkdir ${folders.join(" ")}
mount --bind "$1" ${folders[0]}
mkfs.ext4 -q -d . "$2" 16G`;

/** What a machine mounts when it starts. */
export const fstab = ({ layout }: NodePlan): string =>
  [
    "sysfs /sys sysfs",
    "securityfs /sys/kernel/security securityfs",
    "bpf /sys/fs/bpf bpf",
    "cgroup2 /sys/fs/cgroup cgroup2",
    "devtmpfs /dev devtmpfs",
    "devpts /dev/pts devpts X-mount.mkdir",
    "mqueue /dev/mqueue mqueue X-mount.mkdir",
    "tmpfs /dev/shm tmpfs X-mount.mkdir",
    "tmpfs /run tmpfs mode=755",
    "/dev/nvme0n1 /disk ext4 X-mount.mkdir",
    ...folders.map((folder) => `/disk/${folder} ${layout[folder]} none bind,X-mount.mkdir`),
    "",
  ].join("\n");

/**
 * The disk that a machine starts with: it lies with the store, and goes with it.
 * @param store as `ensureImageStore` gives it
 */
export async function ensureDisk(store: string, progress: Progress): Promise<string> {
  const folder = await cached({
    path: join("containerd", basename(dirname(store)), `disk-${fingerprint([makeDisk])}`),
    fill: (folder) =>
      progress.step("machine: disk with the images", async () => {
        const inMounts = ["--mount", "sh", "-euc", makeDisk, "sh"];
        await run("unshare", [...inMounts, store, join(folder, "disk.raw")]);
      }),
  });
  return join(folder, "disk.raw");
}

/** Gives a machine its disk, which takes no room before it is written to. */
export async function newDisk(node: NodePlan, from: string): Promise<void> {
  await run("qemu-img", ["create", "-q", "-f", "qcow2", "-F", "raw", "-b", from, diskOf(node)]);
}
