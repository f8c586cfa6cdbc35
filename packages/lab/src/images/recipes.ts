import type { ToolName } from "../tools/index.ts";
import { bundledControllers, debianRootFileSystem, envoyBootstrap, type Preparation } from "./preparation.ts";

/** How the lab builds one image, from the same Dockerfile that users build with Docker. */
export interface Recipe {
  /** Folder of the Dockerfile, below `packages/`. */
  readonly folder: string;
  /** More files and folders that the Dockerfile copies, below `packages/`. */
  readonly sources?: readonly string[];
  /** Stage to build where a Dockerfile holds several images; the last one by default. */
  readonly target?: string;
  /** Build arguments that name an image, and which of the lab's images each is. */
  readonly from?: Readonly<Record<string, RecipeName>>;
  /** Other build arguments. */
  readonly args?: Readonly<Record<string, string>>;
  /** Programs of the lab that are put into the recipe's `bin` folder, from where `BINARY=prebuilt` takes them. */
  readonly tools?: readonly ToolName[];
  /** Its name and tag, where they are not the recipe's name and `lab`. */
  readonly ref?: string;
  /** What else the build context must hold. */
  readonly preparation?: Preparation;
}

const onDebian = { BASE: "debian" } as const;

/** Images that pods use. */
const podRecipes = {
  pause: { folder: "images/lab-only/pause", from: onDebian },
  debian: { folder: "images/lab-only/debian", preparation: debianRootFileSystem },
  busybox: { folder: "images/lab-only/busybox", from: onDebian },
  proxyv2: {
    folder: "images/lab-only/proxyv2",
    from: onDebian,
    tools: ["pilot-agent", "envoy"],
    preparation: envoyBootstrap("shared"),
  },
  // Istio's charts take no other name.
  "proxyv2-previous": {
    folder: "images/lab-only/proxyv2",
    ref: "proxyv2:previous",
    from: onDebian,
    tools: ["previous-pilot-agent", "envoy"],
    preparation: envoyBootstrap("previous"),
  },
  coredns: { folder: "images/lab-only/coredns", tools: ["coredns"] },
  metallb: { folder: "images/lab-only/metallb", tools: ["metallb-controller", "metallb-speaker"] },
  pilot: { folder: "images/lab-only/pilot", tools: ["pilot-discovery"] },
  "pilot-previous": {
    folder: "images/lab-only/pilot",
    ref: "pilot:previous",
    tools: ["previous-pilot-discovery"],
  },
  devcontainer: { folder: "images/devcontainer", sources: ["images/sshd"], from: onDebian },
  extended: { folder: "images/extended", from: { BASE: "devcontainer" } },
  registry: { folder: "images/lab-only/registry", from: onDebian },
  toolchains: { folder: "images/lab-only/toolchains", from: { BASE: "devcontainer" } },
  restic: { folder: "images/lab-only/restic", from: onDebian },
  "metrics-server": { folder: "images/lab-only/metrics-server", tools: ["metrics-server"] },
  // What Kubernetes' own tests run in their pods, by the names that these take.
  agnhost: {
    folder: "images/lab-only/agnhost",
    ref: "agnhost:2.63.0",
    from: onDebian,
    tools: ["agnhost"],
  },
  "agnhost-busybox": { folder: "images/lab-only/busybox", ref: "busybox:1.37.0-1", from: onDebian },
  "agnhost-pause": { folder: "images/lab-only/pause", ref: "pause:3.10.2", from: onDebian },
  "agnhost-dns": {
    folder: "images/lab-only/agnhost",
    ref: "glibc-dns-testing:2.0.0",
    from: onDebian,
    tools: ["agnhost"],
  },
  containers: { folder: "images/containers", from: { BASE: "devcontainer" } },
  "sshd-bundle": {
    folder: "images/sshd-bundle",
    sources: ["images/sshd"],
    from: { BINARY: "sshd-programs" },
  },
  frps: { folder: "images/frp", target: "frps", tools: ["frps", "frpc"] },
  frpc: { folder: "images/frp", target: "frpc", from: onDebian, tools: ["frps", "frpc"] },
  programs: { folder: "images/programs", from: onDebian, preparation: bundledControllers },
  dufs: { folder: "images/dufs", from: onDebian, tools: ["dufs"] },
} as const;

/** Stages that are expensive to build, kept apart from what changes often. */
const stages = {
  "sshd-programs": { folder: "images/sshd-bundle", target: "source", from: onDebian },
} as const;

/** Images for machines that the lab's node is not; only a release holds them. */
const foreignRecipes = {
  "sshd-bundle-arm64": {
    folder: "images/sshd-bundle",
    sources: ["images/sshd"],
    from: { BINARY: "sshd-programs-arm64" },
  },
  "sshd-programs-arm64": {
    folder: "images/sshd-bundle",
    target: "source",
    from: onDebian,
    args: { ARCH: "arm64" },
  },
} as const;

const recipes = { ...podRecipes, ...stages, ...foreignRecipes };

/** An image that pods use. */
export type ImageName = keyof typeof podRecipes;

/** An image or a stage of one. */
export type RecipeName = keyof typeof recipes;

export const imageNames = Object.keys(podRecipes) as readonly ImageName[];

export function recipeOf(name: RecipeName): Recipe {
  return recipes[name];
}
