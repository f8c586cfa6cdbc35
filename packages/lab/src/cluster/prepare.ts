import {
  ensureImages,
  type ImageName,
  imageNames,
  imageStep,
  missingImages,
  toolsIn,
} from "../images/index.ts";
import { missingOfPulumi, ownProvider } from "../own-pulumi.ts";
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
import { ensureMachine, ensureQemu } from "./machine/image.ts";
import { planNodes } from "./nodes/plan.ts";
import { clusterTools, type Plan } from "./plan.ts";
import { dnsObjects } from "./programs/coredns.ts";
import { linkedTools, previousOf, previousTools } from "./upgrade.ts";

/** Debian packages whose programs the cluster calls by name. */
const packages = ["conntrack", "iproute2", "iptables", "mount", "nftables", "openssl", "tini", "util-linux"];

/** Programs that `exec` puts on PATH, without those of Pulumi that the user has there already. */
const clientTools = async (progress: Progress): Promise<readonly ToolName[]> => [
  ...missingOfPulumi(await ownProvider(progress)),
  ...(["kubectl", "frps", "frpc"] as const),
];

/** All programs that a lab with these images runs, holds or gives. */
export async function toolsFor(
  images: readonly ImageName[],
  progress: Progress,
  previous = false,
): Promise<ToolName[]> {
  const held = toolsIn(withOwn(images, previous));
  return [...new Set([...(await clientTools(progress)), ...clusterToolsOf(previous), ...held])];
}

const clusterToolsOf = (previous: boolean): readonly ToolName[] => [
  ...clusterTools,
  "istio-charts",
  ...(previous ? previousTools : []),
];

/** The cluster itself needs some images; one that is upgraded, Istio's older ones as well. */
function withOwn(images: readonly ImageName[], previous: boolean): ImageName[] {
  const older = previous ? (["proxyv2-previous", "pilot-previous"] as const) : [];
  return [...new Set<ImageName>(["pause", "coredns", "metallb", "pilot", "proxyv2", ...older, ...images])];
}

// No pod runs the base of the others. Images of an example or of a single test are built by those.
const seldom: readonly ImageName[] = [
  "debian",
  "extended",
  "registry",
  "toolchains",
  "restic",
  "metrics-server",
  "agnhost",
  "agnhost-busybox",
  "agnhost-pause",
  "agnhost-dns",
  "containers",
  "proxyv2-previous",
  "pilot-previous",
];

/** All that the components' pods run. */
export const podImages: readonly ImageName[] = imageNames.filter((name) => !seldom.includes(name));

/**
 * Everything that an instance runs, built or fetched into the cache if it is not there yet.
 * @param images to load beside those that the cluster itself needs
 * @param nodes how many it has
 * @param previous whether it starts with previous versions
 * @param machine whether one further node is an emulated machine
 */
export async function prepare(
  name: string,
  images: readonly ImageName[],
  progress: Progress,
  nodes = 1,
  previous = false,
  machine = false,
): Promise<Plan> {
  const wanted = withOwn(images, previous);
  progress.plan([
    ...missingFamilies(await toolsFor(images, progress, previous)).map(buildStep),
    ...(await missingImages(wanted)).map(imageStep),
  ]);
  await ensureDebianPackages(packages, progress);
  if (machine) await ensureQemu(progress);
  const clients = await clientTools(progress);
  // Images are made of packages first, and wait for the programs that they hold.
  const [tools, built] = await Promise.all([
    ensureTools([...clients, ...clusterToolsOf(previous)], progress),
    ensureImages(wanted, progress),
  ]);
  const archives = wanted.map((image) => built[image].tar);
  const layout = layoutOf(name);
  const istio = await istioObjects(tools["istio-charts"], built.proxyv2.ref, progress);
  const dns = await dnsObjects(built.coredns.ref, progress);
  const imageStore = await ensureImageStore(tools, archives, progress);
  const plan = {
    name,
    layout,
    nodes: planNodes(layout, nodes, machine),
    tools,
    clientTools: clients.map((tool) => tools[tool]),
    imageStore,
    ...(machine ? { machine: await ensureMachine(layout, imageStore, archives, progress) } : {}),
    pauseImage: built.pause.ref,
    metallbImage: built.metallb.ref,
    istio,
    dns,
  };
  if (!previous) return plan;
  return {
    ...plan,
    tools: { ...tools, ...linkedTools(layout) },
    istio: await istioObjects(tools["previous-istio-charts"], built["proxyv2-previous"].ref, progress),
    previous: previousOf(tools, istio),
  };
}
