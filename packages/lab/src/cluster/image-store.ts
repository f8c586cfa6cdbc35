import { createReadStream } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cached } from "../cache.ts";
import { imageStoreCopySh, imageStoreFillSh } from "../generated/programs.ts";
import type { Progress } from "../progress.ts";
import { fingerprint } from "../tools/module-files.ts";
import { exec, execWithInput } from "./host/processes.ts";
import { containerdSocket } from "./layout.ts";
import type { Plan } from "./plan.ts";

/** `ctr` with everything that kubelet's images need; the archive comes on standard input. */
export const importArguments = [
  `--address=${containerdSocket}`,
  "--namespace=k8s.io",
  "images",
  "import",
  // Kubernetes' own label, so that kubelet lists the image at once.
  "--label=io.cri-containerd.image=managed",
  "-",
];

/**
 * Loads one image archive.
 * @param command the program to run with its arguments; it gets the archive on standard input
 */
export async function importImage(command: readonly [string, ...string[]], tar: string): Promise<void> {
  const { code, complaint } = await execWithInput(command, createReadStream(tar));
  // What stands before the last line is advice about the machine.
  const reason = complaint.trim().split("\n").at(-1);
  if (code !== 0) throw new Error(`cannot load the image archive ${tar}: ${reason}`);
}

/** A containerd that does nothing but keep images. */
function storeConfig(root: string): string {
  return `version = 3
root = "${root}"
state = "/run/containerd"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "${containerdSocket}"
[plugins."io.containerd.internal.v1.opt"]
  path = "/run/opt"
`;
}

/**
 * The folder of a containerd that holds these images, unpacked. Unpacking takes longer than all else of a start, so it
 * is done once for each set of images and kept in the cache.
 * @param archives docker-archives, by path
 */
export async function ensureImageStore(
  tools: Pick<Plan["tools"], "containerd" | "ctr">,
  archives: readonly string[],
  progress: Progress,
): Promise<string> {
  const folder = await cached({
    // An archive's path names all that went into it.
    path: `containerd/${fingerprint([tools.containerd, storeConfig(""), imageStoreFillSh, ...archives])}`,
    fill: (folder) =>
      progress.step("images: unpacking", async () => {
        const env = {
          ...process.env,
          CONTAINERD: tools.containerd,
          CONFIG: storeConfig(join(folder, "root")),
          SOCKET: containerdSocket,
          IMPORT: [tools.ctr, ...importArguments].join(" "),
        };
        const namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
        await exec("unshare", [...namespaces, "sh", "-euc", imageStoreFillSh, "sh", ...archives], { env });
      }),
  });
  const now = new Date();
  await utimes(folder, now, now);
  await forgetUnused(dirname(folder));
  return join(folder, "root");
}

/** How many stores stay: one for each of a few checkouts or branches that are worked on in turn. */
const keptStores = 3;

/** Removes the stores that were not used for longest: each change of an image makes another, of a gigabyte or more. */
async function forgetUnused(stores: string): Promise<void> {
  const entries = await readdir(stores, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.endsWith(".partial"));
  const used = await Promise.all(
    folders.map(async ({ name }) => ({ name, at: (await stat(join(stores, name))).mtimeMs })),
  );
  const old = used.sort((one, other) => other.at - one.at).slice(keptStores);
  await Promise.all(old.map(({ name }) => rm(join(stores, name), { recursive: true, force: true })));
}

/**
 * Gives a containerd its images, before it starts. This runs outside of the instance: inside, the state folder counts
 * as a file system of its own, and nothing can be linked into it.
 * @param store as `ensureImageStore` gives it
 * @param folder containerd's, which must not exist yet
 */
export async function linkImages(store: string, folder: string): Promise<void> {
  await exec("sh", ["-euc", imageStoreCopySh, "sh", store, folder]);
}
