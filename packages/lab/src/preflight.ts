/** Says before anything is built or started why a lab cannot run here, all reasons at once, and what to do. */

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { freemem } from "node:os";
import { dirname, join } from "node:path";
import { cacheDir } from "./cache.ts";
import { memoryMib } from "./cluster/plan.ts";
import type { Progress } from "./progress.ts";
import { missingCompilers, missingFamilies, type ToolName } from "./tools/index.ts";
import { ensureDebianPackages } from "./tools/packages.ts";
import { run } from "./tools/run.ts";

/** The machine, as far as it decides whether a lab can run. */
export interface MachineFacts {
  /** As `process.platform` says it. */
  readonly platform: string;
  /** As `process.arch` says it. */
  readonly architecture: string;
  /** Numeric user id; undefined where the system has none. */
  readonly uid: number | undefined;
  /** Folders that will be written to. */
  readonly rooms: readonly Room[];
  /** A sentence for each compiler that is needed and that nothing here can bring. */
  readonly compilers: readonly string[];
  /** What a machine needs of memory and what is free; undefined if none is wanted. */
  readonly memory?: { readonly neededBytes: number; readonly freeBytes: number } | undefined;
}

/** Disk space that something needs. */
interface Room {
  /** What is kept there, for people. */
  readonly purpose: string;
  readonly folder: string;
  readonly neededBytes: number;
  /** What can still be written. */
  readonly freeBytes: number;
}

/** What a lab needs of the kernel and what came of trying it. */
interface KernelFacts {
  /** The error text of each probe that failed. */
  readonly failures: Readonly<Partial<Record<ProbeName, string>>>;
  /** The cgroup controllers that are switched on. */
  readonly controllers: readonly string[];
}

const bytesPerGib = 2 ** 30;
/** Image archives, and programs while they are renewed. */
const cacheBytes = 3 * bytesPerGib;
/** Sources, Go's build cache and programs of one family: 16.3 GiB measured for all 14 of them. */
const familyBytes = 1.2 * bytesPerGib;
/** Debian, and a disk with the images. */
const machineBytes = 4 * bytesPerGib;
/** Images unpacked, volumes, etcd and logs of one lab. */
const stateBytes = 4 * bytesPerGib;

const neededControllers = ["cpu", "cpuset", "memory", "pids"];

const overlayTrial = `cd "$0" && mkdir lower upper work merged &&
  mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay merged && touch merged/file`;

/** Small trials of what a lab does, each in namespaces that end with it. The folder is new and empty. */
const probes = {
  namespaces: {
    command: () => ["unshare", "--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "true"],
    fix: "a lab needs root with all its capabilities; inside a container, start that one with --privileged",
  },
  bridge: {
    command: () => ["unshare", "--net", "ip", "link", "add", "lab0", "type", "bridge"],
    fix: "load the kernel module: modprobe bridge",
  },
  veth: {
    command: () => ["unshare", "--net", "ip", "link", "add", "lab0", "type", "veth", "peer", "name", "lab1"],
    fix: "load the kernel module: modprobe veth",
  },
  queues: {
    command: () => ["unshare", "--net", "iptables", "-t", "mangle", "-A", "INPUT", "-j", "NFQUEUE"],
    fix: "load the kernel modules: modprobe -a nf_tables nft_compat xt_NFQUEUE nfnetlink_queue",
  },
  iptables: {
    command: () => ["unshare", "--net", "iptables", "-t", "nat", "-A", "POSTROUTING", "-j", "MASQUERADE"],
    fix: "load the kernel modules: modprobe -a nf_nat nft_compat xt_MASQUERADE",
  },
  overlay: {
    command: (folder: string) => ["unshare", "--mount", "sh", "-c", overlayTrial, folder],
    fix: "load the kernel module: modprobe overlay; where the state folder itself lies on an overlay (inside a container), set DRAWBRIDGE_LAB_STATE to a folder on an ordinary disk",
  },
} as const;

type ProbeName = keyof typeof probes;

const probePackages = ["iproute2", "iptables"];

/**
 * Refuses with one error that lists every reason why no lab can run on this machine. Where only Debian packages
 * are missing for finding out, they are installed.
 * @param stateFolder where the labs keep their state; it need not exist yet
 * @param tools the programs that will be used. Default: all
 * @param machine whether an emulated machine is wanted
 */
export async function preflight(
  stateFolder: string,
  progress: Progress,
  tools?: readonly ToolName[],
  machine = false,
): Promise<void> {
  refuse(machineFaults(await machineFacts(stateFolder, tools, machine)));
  await ensureDebianPackages(probePackages, progress);
  refuse(kernelFaults(await kernelFacts(stateFolder)));
}

/** What of the machine itself keeps a lab from running, one sentence or two each. */
export function machineFaults(facts: MachineFacts): string[] {
  if (facts.platform !== "linux") {
    // Nothing else is worth saying: the rest cannot be mended on such a system.
    return [
      `this system is ${facts.platform}; a lab runs on Linux only, for example in a virtual machine with Debian 12 or newer.`,
    ];
  }
  const faults: string[] = [];
  if (!["x64", "arm64"].includes(facts.architecture)) {
    faults.push(`the processor is ${facts.architecture}; a lab runs on x64 and arm64.`);
  }
  if (facts.uid !== 0) {
    faults.push(
      `the user id is ${facts.uid ?? "unknown"}; a lab needs root (user id 0) for its namespaces. Run the same command with sudo.`,
    );
  }
  for (const { purpose, folder, neededBytes, freeBytes } of facts.rooms) {
    if (freeBytes >= neededBytes) continue;
    faults.push(
      `${folder} has ${gib(freeBytes)} free; ${purpose} needs ${gib(neededBytes)}. Free some space, or set the variable that moves it (DRAWBRIDGE_CACHE for the cache, DRAWBRIDGE_LAB_STATE for the state).`,
    );
  }
  const { memory } = facts;
  if (memory !== undefined && facts.architecture !== "x64") {
    faults.push(`the processor is ${facts.architecture}; a machine is emulated on x64 only.`);
  }
  if (memory !== undefined && memory.freeBytes < memory.neededBytes) {
    faults.push(
      `${gib(memory.freeBytes)} of memory are free; an emulated machine needs ${gib(memory.neededBytes)} beside the lab. End other programs.`,
    );
  }
  return [...faults, ...facts.compilers];
}

/** What of the kernel keeps a lab from running. */
export function kernelFaults(facts: KernelFacts): string[] {
  const faults = (Object.entries(facts.failures) as [ProbeName, string][]).map(
    ([probe, error]) => `${probe} cannot be used here (${error}): ${probes[probe].fix}.`,
  );
  const missing = neededControllers.filter((controller) => !facts.controllers.includes(controller));
  if (missing.length > 0) {
    faults.push(
      `the cgroup controllers ${missing.join(", ")} are off; switch them on with the kernel's command line, for example cgroup_enable=memory, and restart.`,
    );
  }
  return faults;
}

/** The names of the enabled controllers, from `/proc/cgroups` (version 1) and `cgroup.controllers` (version 2). */
export function cgroupControllers(version1: string, version2: string): string[] {
  const enabled = version1
    .split("\n")
    .filter((line) => /^\w+\t\d+\t\d+\t1$/.test(line))
    .map((line) => line.split("\t")[0]!);
  return [...new Set([...enabled, ...version2.split(/\s+/).filter((name) => name !== "")])];
}

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new Error(
    `a lab cannot run on this machine:\n${faults.map((fault) => `- ${fault}`).join("\n")}\nOr use a cluster that you have: \`KUBECONFIG=… npm run demo\` starts no lab.`,
  );
}

function gib(bytes: number): string {
  return `${(bytes / bytesPerGib).toFixed(1)} GiB`;
}

async function machineFacts(
  stateFolder: string,
  tools: readonly ToolName[] | undefined,
  machine: boolean,
): Promise<MachineFacts> {
  const missing = missingFamilies(tools);
  const rooms = [
    {
      purpose: missing.length > 0 ? "building the lab's programs and images" : "the lab's cache of images",
      folder: cacheDir(),
      neededBytes: cacheBytes + missing.length * familyBytes + Number(machine) * machineBytes,
    },
    {
      purpose: "the state of a lab",
      folder: stateFolder,
      neededBytes: stateBytes + Number(machine) * machineBytes,
    },
  ];
  return {
    platform: process.platform,
    architecture: process.arch,
    uid: process.getuid?.(),
    rooms: await Promise.all(
      rooms.map(async (room) => ({ ...room, freeBytes: await freeBytes(room.folder) })),
    ),
    compilers: await missingCompilers(missing),
    memory: machine ? { neededBytes: (memoryMib + 1024) * 2 ** 20, freeBytes: freemem() } : undefined,
  };
}

async function kernelFacts(stateFolder: string): Promise<KernelFacts> {
  const folder = await mkdtemp(join(existingParent(stateFolder), ".drawbridge-probe-"));
  const failures: Partial<Record<ProbeName, string>> = {};
  try {
    for (const [name, probe] of Object.entries(probes) as [ProbeName, (typeof probes)[ProbeName]][]) {
      const [command, ...args] = probe.command(folder);
      await run(command!, args).catch((error: Error) => {
        failures[name] = error.message.trim().split("\n").at(-1)!;
      });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const read = (path: string) => readFile(path, "utf8").catch(() => "");
  return {
    failures,
    controllers: cgroupControllers(
      await read("/proc/cgroups"),
      await read("/sys/fs/cgroup/cgroup.controllers"),
    ),
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(existingParent(folder));
  return bavail * bsize;
}

/** The folder itself, or the nearest one above it that exists. */
function existingParent(folder: string): string {
  return existsSync(folder) ? folder : existingParent(dirname(folder));
}
