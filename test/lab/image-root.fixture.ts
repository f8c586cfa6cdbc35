/** Runs an image's programs without a cluster, under what Pod Security "restricted" leaves a container. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { must } from "../../scripts/lib/lab/lab.ts";

/** What is mounted and set before the program starts, as the kubelet would do it. */
export interface Container {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files mounted read-only: path in the container to content, readable by everybody. */
  readonly files?: Readonly<Record<string, string>>;
  /** Folders that stay writable by the user; everything else is read-only. */
  readonly writable?: readonly string[];
}

// Runs as root in its own mount and pid namespaces. $1: root file system, $2: writable folders, the rest: for env.
const enter = `
root=$1; writable=$2; shift 2
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
for device in null zero urandom tty; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
for folder in $writable; do chown 1000:1000 "$root$folder"; mount --bind "$root$folder" "$root$folder"; done
mount -o remount,ro,bind "$root"
# No exec: a program that changes its user outlives its parent, but not this shell, the first process of its namespace.
env -i "$@" || exit $?
`;

/** The unpacked root file system of an image. */
export class ImageRoot {
  readonly folder: string;
  #child: ChildProcess | undefined;
  /** What the program has printed. */
  log = "";

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @param archive path of a docker-archive */
  static async unpack(archive: string): Promise<ImageRoot> {
    const image = new ImageRoot(await mkdtemp(join(tmpdir(), "drawbridge-image-")));
    await image.add(archive);
    await chmod(image.folder, 0o755);
    for (const folder of ["proc", "dev"]) await mkdir(join(image.folder, folder), { recursive: true });
    return image;
  }

  /** Lays another image's files over this one. */
  async add(archive: string): Promise<void> {
    const [manifest] = JSON.parse(await must("tar", ["-xOf", archive, "manifest.json"])) as [
      { Layers: string[] },
    ];
    for (const layer of manifest.Layers) {
      await must("sh", ["-c", 'tar -xOf "$1" "$2" | tar -xC "$3"', "sh", archive, layer, this.folder]);
    }
  }

  /** Starts a program as uid 1000, without capabilities. */
  async start(container: Container): Promise<void> {
    for (const [path, content] of Object.entries(container.files ?? {})) {
      const file = join(this.folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    const writable = container.writable ?? [];
    for (const path of writable) await mkdir(join(this.folder, path), { recursive: true });
    const env = { PATH: "/usr/bin:/bin", ...container.env };
    const program = [
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      ...["/usr/bin/setpriv", "--no-new-privs"],
      ...["/usr/sbin/chroot", "--userspec=1000:1000", "--groups=", this.folder],
      ...container.command,
    ];
    const shell = ["sh", "-euc", enter, "sh", this.folder, writable.join(" "), ...program];
    const child = spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", ...shell], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const keep = (chunk: Buffer) => {
      this.log += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    this.#child = child;
  }

  /** Whether the program has been started and has ended. */
  get ended(): boolean {
    return this.#child !== undefined && this.#child.exitCode !== null;
  }

  /** Ends the program and removes the files. */
  async remove(): Promise<void> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill("SIGKILL");
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
