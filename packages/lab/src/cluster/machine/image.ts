/** What a machine is made of: a folder with Debian and its kernel, and the lab's own supervisor in one file. */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cached } from "../../cache.ts";
import { debianArguments, nodeProgram } from "../../images/preparation.ts";
import type { Progress } from "../../progress.ts";
import { fingerprint } from "../../tools/module-files.ts";
import { ensureDebianPackages } from "../../tools/packages.ts";
import { ask, run } from "../../tools/run.ts";
import type { Layout } from "../layout.ts";
import type { MachinePlan } from "../plan.ts";
import { ensureDisk } from "./disk.ts";

/** What kubelet, its runtime and the supervisor call by name, with a kernel that needs no initial file system. */
const inside = [
  ...["linux-image-cloud-amd64", "kmod", "apparmor", "libseccomp2", "tini", "mount", "util-linux"],
  ...["conntrack", "iproute2", "iptables", "nftables"],
];
// Nothing reads the initial file system that the kernel's package would make, in half of all the time.
const withoutInitramfs = `chroot "$1" dpkg-divert --quiet --local --rename --add /usr/sbin/update-initramfs &&
  ln -s /bin/true "$1/usr/sbin/update-initramfs"`;
const debianOfMachines = [
  `--include=${inside.join(",")}`,
  `--essential-hook=${withoutInitramfs}`,
  ...debianArguments,
];

/** QEMU and what makes its disks, before anything is built. */
export async function ensureQemu(progress: Progress): Promise<void> {
  try {
    await ensureDebianPackages(["qemu-system-x86", "qemu-utils", "mmdebstrap", "e2fsprogs"], progress);
    // Debian 12 has it with QEMU.
    if (!existsSync("/usr/lib/qemu/virtiofsd")) await ensureDebianPackages(["virtiofsd"], progress);
  } catch (error) {
    const reason = (error as Error).message.trim().split("\n").at(-1);
    throw new Error(
      `a machine needs QEMU, whose packages cannot be installed (${reason}); leave out --machine`,
    );
  }
}

/** Everything of a machine that outlives it, made or installed if it is not there yet. */
export async function ensureMachine(
  layout: Layout,
  store: string,
  archives: readonly string[],
  progress: Progress,
): Promise<MachinePlan> {
  const folder = await cached({
    path: `machine/${fingerprint([...debianOfMachines, ...nodeProgram.inputs()])}`,
    fill: (folder) => progress.step("machine: building", () => build(join(folder, "debian"), progress)),
  });
  const debian = join(folder, "debian");
  return {
    debian,
    disk: await ensureDisk(store, progress),
    archives,
    supervisor: join(layout.root, "supervisor.mjs"),
    accelerator: (await isKvmSound(debian)) ? "kvm" : "tcg,thread=multi,tb-size=512",
  };
}

async function build(debian: string, progress: Progress): Promise<void> {
  await run("mmdebstrap", [...debianOfMachines, debian]);
  await nodeProgram.fill(join(debian, "usr/local"), progress);
}

/** Whether a kernel gets as far as looking for its disk under KVM, which may open and yet not work. */
async function isKvmSound(debian: string): Promise<boolean> {
  if (!existsSync("/dev/kvm")) return false;
  const [kernel = ""] = globSync(join(debian, "boot/vmlinuz-*"));
  const bare = ["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-serial", "stdio"];
  const boot = ["-kernel", kernel, "-append", "console=ttyS0 panic=-1"];
  const said = await ask("timeout", ["5", "qemu-system-x86_64", ...bare, "-accel", "kvm", ...boot]);
  return said?.includes("Unable to mount root") ?? false;
}

const workspace = (path: string) => fileURLToPath(new URL(`../../../../../${path}`, import.meta.url));

/** Writes the supervisor as one file of JavaScript: a machine would need a quarter of a minute to make it of its sources. */
export async function writeSupervisor({ supervisor }: MachinePlan): Promise<void> {
  const source = workspace("packages/lab/src/cluster/supervisor/main.ts");
  const how = ["--platform", "node", "--format", "esm", "--log-level", "silent"];
  await run(workspace("node_modules/.bin/rolldown"), [source, ...how, "-o", supervisor]);
}
