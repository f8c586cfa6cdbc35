import {
  ensureImages,
  IMAGE_NAMES,
  type ImageName,
  imageStep,
  missingImages,
  toolsIn,
} from "../images/index.ts";
import { hasOwnPulumi } from "../own-pulumi.ts";
import type { Progress } from "../progress.ts";
import {
  buildStep,
  ensureDebianPackages,
  ensureTools,
  missingFamilies,
  type ToolName,
} from "../tools/index.ts";
import { ensureImageStore } from "./image-store.ts";
import { istioObjects } from "./istio/chart.ts";
import { layoutOf } from "./layout.ts";
import { planNodes } from "./nodes/plan.ts";
import { clusterTools, type Plan } from "./plan.ts";

/** Debian packages whose programs the cluster calls by name. */
const packages = ["conntrack", "iproute2", "iptables", "mount", "nftables", "openssl", "tini", "util-linux"];

/** Programs that `exec` puts on PATH: your own Pulumi, where you have one, is there already. */
function clientTools(): readonly ToolName[] {
  return ["kubectl", "frps", "frpc", ...(hasOwnPulumi() ? [] : ["pulumi" as const])];
}

/** All programs that a lab with these images runs, holds or gives. */
export function toolsFor(images: readonly ImageName[]): ToolName[] {
  return [
    ...new Set([...clusterTools, "istio-charts" as const, ...clientTools(), ...toolsIn(withOwn(images))]),
  ];
}

/** The cluster itself needs two images. */
function withOwn(images: readonly ImageName[]): ImageName[] {
  return [...new Set<ImageName>(["pause", "proxyv2", ...images])];
}

// No pod runs the base of the others; the examples of images on ours, and what single tests run, are built by those.
const seldom: readonly ImageName[] = ["debian", "extended", "registry", "restic", "containers"];

/** All that the components' pods run. */
export const podImages: readonly ImageName[] = IMAGE_NAMES.filter((name) => !seldom.includes(name));

/**
 * Everything that an instance runs, built or fetched into the cache if it is not there yet.
 * @param images to load beside those that the cluster itself needs
 * @param nodes how many it has
 */
export async function prepare(
  name: string,
  images: readonly ImageName[],
  progress: Progress,
  nodes = 1,
): Promise<Plan> {
  const wanted = withOwn(images);
  progress.plan([
    ...missingFamilies(toolsFor(images)).map(buildStep),
    ...(await missingImages(wanted)).map(imageStep),
  ]);
  await ensureDebianPackages(packages, progress);
  const clients = clientTools();
  // Images are made of packages first, and wait for the programs that they hold.
  const [tools, built] = await Promise.all([
    ensureTools([...clusterTools, "istio-charts", ...clients], progress),
    ensureImages(wanted, progress),
  ]);
  const archives = wanted.map((image) => built[image].tar);
  const layout = layoutOf(name);
  return {
    name,
    layout,
    nodes: planNodes(layout, nodes),
    tools,
    clientTools: clients.map((tool) => tools[tool]),
    imageStore: await ensureImageStore(tools, archives, progress),
    pauseImage: built.pause.ref,
    istio: await istioObjects(tools["istio-charts"], built.proxyv2.ref, progress),
  };
}
