import { execFile } from "node:child_process";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cached } from "../cache.ts";
import type { Progress } from "../progress.ts";
import { fingerprint } from "../tools/module-files.ts";
import { containerdSocket } from "./layout.ts";
import { importArguments } from "./load.ts";
import type { Plan } from "./plan.ts";

const run = promisify(execFile);

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

/** Runs containerd in namespaces that end with it, loads the archives given as arguments, and ends it in good order. */
const fill = `
mount -t tmpfs tmpfs /run
printf '%s' "$CONFIG" > /run/store.toml
"$CONTAINERD" --config=/run/store.toml --log-level=warn >&2 &
until [ -S "$SOCKET" ]; do kill -0 $!; sleep 0.05; done
for archive; do $IMPORT < "$archive" >/dev/null; done
kill -TERM $!
wait $!
`;

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
    path: `containerd/${fingerprint([tools.containerd, storeConfig(""), fill, ...archives])}`,
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
        await run("unshare", [...namespaces, "sh", "-euc", fill, "sh", ...archives], { env });
      }),
  });
  const now = new Date();
  await utimes(folder, now, now);
  await forgetUnused(dirname(folder));
  return join(folder, "root");
}

/** How many stores stay: one for each of a few checkouts or branches that are worked on in turn. */
const kept = 3;

/** Removes the stores that were not used for longest: each change of an image makes another, of a gigabyte or more. */
async function forgetUnused(stores: string): Promise<void> {
  const entries = await readdir(stores, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.endsWith(".partial"));
  const used = await Promise.all(
    folders.map(async ({ name }) => ({ name, at: (await stat(join(stores, name))).mtimeMs })),
  );
  const old = used.sort((one, other) => other.at - one.at).slice(kept);
  await Promise.all(old.map(({ name }) => rm(join(stores, name), { recursive: true, force: true })));
}

/**
 * Copies a store by linking its files, which containerd and the pods only read; its databases are copied for real.
 * Where the cache is on another disk, everything is.
 */
const copy = `
cp --archive --link "$1" "$2" 2>/dev/null || { rm -rf "$2"; cp --archive "$1" "$2"; }
for database in "$1"/*/*.db; do
  cp --archive --remove-destination "$database" "$2\${database#"$1"}"
done
`;

/**
 * Gives a containerd its images, before it starts. Not within the instance: there the state folder counts as a file
 * system of its own, and nothing can be linked into it.
 * @param store as `ensureImageStore` gives it
 * @param folder containerd's, which must not exist yet
 */
export async function linkImages(store: string, folder: string): Promise<void> {
  await run("sh", ["-euc", copy, "sh", store, folder]);
}
