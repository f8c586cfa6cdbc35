import { ensureImages, IMAGE_NAMES, type ImageName } from "../images/index.ts";
import type { Progress } from "../progress.ts";
import { ensureDebianPackages, ensureTools, type ToolName } from "../tools/index.ts";
import { ensureImageStore } from "./image-store.ts";
import { istioObjects } from "./istio/chart.ts";
import { layoutOf } from "./layout.ts";
import { clusterTools, type Plan } from "./plan.ts";

/** Debian packages whose programs the cluster calls by name. */
const packages = ["conntrack", "iproute2", "iptables", "mount", "nftables", "openssl", "tini", "util-linux"];

/** Programs that `exec` puts on PATH. */
const clientTools = ["kubectl", "helm", "pulumi", "frps", "frpc"] as const satisfies readonly ToolName[];

// No pod runs the base of the others, and the example of an image on ours is built by whoever shows it.
const seldom: readonly ImageName[] = ["debian", "extended"];

/** All that the components' pods run. */
const podImages = IMAGE_NAMES.filter((name) => !seldom.includes(name));

/**
 * Everything that an instance runs, built or fetched into the cache if it is not there yet.
 * @param images to load beside those that the cluster itself needs. Default: all that pods run
 */
export async function prepare(
  name: string,
  images: readonly ImageName[] = podImages,
  progress: Progress,
): Promise<Plan> {
  await ensureDebianPackages(packages, progress);
  const tools = await ensureTools([...clusterTools, ...clientTools], progress);
  const wanted = [...new Set<ImageName>(["pause", "proxyv2", ...images])];
  const built = await ensureImages(wanted, progress);
  const archives = wanted.map((image) => built[image].tar);
  return {
    name,
    layout: layoutOf(name),
    tools,
    clientTools: clientTools.map((tool) => tools[tool]),
    imageStore: await ensureImageStore(tools, archives, progress),
    pauseImage: built.pause.ref,
    istio: await istioObjects(tools.helm, built.proxyv2.ref, progress),
  };
}
