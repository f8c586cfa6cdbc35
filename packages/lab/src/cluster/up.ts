import { mkdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureImages, IMAGE_NAMES, type ImageName } from "../images/index.ts";
import { preflight } from "../preflight.ts";
import type { Progress } from "../progress.ts";
import { ensureDebianPackages, ensureTools, type ToolName } from "../tools/index.ts";
import { down } from "./down.ts";
import { cgroupVersion } from "./host/cgroups.ts";
import { startInNamespaces } from "./host/namespaces.ts";
import { identify, isAlive } from "./host/processes.ts";
import { ensureImageStore } from "./image-store.ts";
import { checkedName, readRecord, writeRecord } from "./instance.ts";
import { istioObjects } from "./istio/chart.ts";
import { layoutOf, stateDir } from "./layout.ts";
import { makeCredentials } from "./pki/credentials.ts";
import { clusterTools, type Plan, writePlan } from "./plan.ts";
import { type Ready, waitUntilReady } from "./readiness.ts";

/** Debian packages whose programs the cluster calls by name. */
const packages = ["conntrack", "iproute2", "iptables", "mount", "nftables", "openssl", "tini", "util-linux"];

/** Programs that `exec` puts on PATH beside the cluster's own. */
const clientTools = ["kubectl", "helm", "pulumi", "frps", "frpc"] as const satisfies readonly ToolName[];

/** The base of other images; no pod runs it. */
const podImages = IMAGE_NAMES.filter((name) => name !== "debian");

export interface UpOptions {
  /** What the instance is called. Default: `default`. */
  name?: string;
  /** Images to load. Default: all that pods use. */
  images?: readonly ImageName[];
  /** Whether a failed start leaves everything as it is, to be looked at. Default: it is brought down. */
  keep?: boolean;
}

/** An instance that is ready for use. */
export interface Lab extends Ready {
  name: string;
  /** File with the administrator's access; its address is reachable by `exec` alone. */
  kubeconfig: string;
  /** Whether this call started it. */
  started: boolean;
}

/**
 * Starts an instance and waits until it is ready. What is missing is built first. An instance that runs is left as it is.
 */
export async function up(options: UpOptions, progress: Progress): Promise<Lab> {
  const name = checkedName(options.name ?? "default");
  const layout = layoutOf(name);
  const record = await readRecord(layout);
  if (record?.init !== undefined && isAlive(record.init)) {
    return { name, kubeconfig: layout.kubeconfig, started: false, ...(await waitUntilReady(layout)) };
  }
  if (record !== undefined && isAlive(record.starter)) {
    throw new Error(`the lab "${name}" is being started by process ${record.starter.pid}; wait for it`);
  }
  await preflight(stateDir(), progress);
  const plan = await prepare(name, options.images ?? podImages, progress);
  await down(name);
  try {
    const ready = await progress.step(`cluster "${name}": starting`, () => launch(plan));
    return { name, kubeconfig: layout.kubeconfig, started: true, ...ready };
  } catch (error) {
    if (options.keep !== true) await down(name);
    throw error;
  }
}

/** Everything that is built or fetched, once, into the cache. */
async function prepare(name: string, images: readonly ImageName[], progress: Progress): Promise<Plan> {
  await ensureDebianPackages(packages, progress);
  const tools = await ensureTools([...clusterTools, ...clientTools], progress);
  const wanted = [...new Set<ImageName>(["pause", "proxyv2", ...images])];
  const built = await ensureImages(wanted, progress);
  return {
    name,
    layout: layoutOf(name),
    tools,
    clientTools: clientTools.map((tool) => tools[tool]),
    imageStore: await ensureImageStore(
      tools,
      wanted.map((image) => built[image].tar),
      progress,
    ),
    pauseImage: built.pause.ref,
    istio: await istioObjects(tools.helm, built.proxyv2.ref, progress),
    cgroups: cgroupVersion(),
  };
}

/** Starts the instance's processes from nothing and waits for them. */
async function launch(plan: Plan): Promise<Ready> {
  const { layout, name } = plan;
  const starter = identify(process.pid);
  if (starter === undefined) throw new Error("this process is not listed in /proc; is it mounted?");
  await mkdir(join(layout.root, ".."), { recursive: true });
  // Fails when another `up` of this name was faster.
  await mkdir(layout.root);
  await writeRecord(layout, { name, starter });
  await Promise.all(
    [layout.logs, layout.config, layout.bin, layout.volumes].map((folder) =>
      mkdir(folder, { recursive: true }),
    ),
  );
  await Promise.all([
    makeCredentials(layout),
    writePlan(plan),
    ...plan.clientTools.map((tool) => symlink(tool, join(layout.bin, basename(tool)))),
  ]);
  const supervisor = fileURLToPath(new URL(`./supervisor/main${sourceEnding}`, import.meta.url));
  const init = await startInNamespaces(
    // tini collects what containers leave behind; it passes no signal on that would matter here.
    ["tini", "--", process.execPath, ...process.execArgv, supervisor, layout.plan],
    join(layout.logs, "supervisor.log"),
    { ...process.env, HOME: layout.root },
  );
  await writeRecord(layout, { name, starter, init });
  return waitUntilReady(layout);
}

/** The sources run as they are, the published package from its JavaScript. */
const sourceEnding = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
