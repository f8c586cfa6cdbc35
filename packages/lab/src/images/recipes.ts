import type { ToolName } from "../tools/index.ts";
import { debianRootFileSystem, envoyBootstrap, nodeProgram, type Preparation } from "./preparation.ts";

/** How the lab builds one image, from the same Dockerfile that users build with Docker. */
export interface Recipe {
  /** Folder of the Dockerfile, below `packages/`. */
  readonly folder: string;
  /** More files and folders that the Dockerfile copies, below `packages/`. */
  readonly sources?: readonly string[];
  /** Stage to build where a Dockerfile holds several images; the last one by default. */
  readonly target?: string;
  /** Whether a stage starts from build argument `BASE`, for which the lab gives its `debian`. */
  readonly onBase: boolean;
  /** Programs of the lab that are put into the recipe's `bin` folder. Build argument `BINARY=prebuilt` takes them from there. */
  readonly tools?: readonly ToolName[];
  /** Whether `preparation` puts the program into `bin`, so that `BINARY=prebuilt` takes it from there too. */
  readonly prebuilt?: true;
  /** What else the build context must hold. */
  readonly preparation?: Preparation;
}

/** Every image of the lab. */
const RECIPES = {
  pause: { folder: "images/lab-only/pause", onBase: true },
  debian: { folder: "images/lab-only/debian", onBase: false, preparation: debianRootFileSystem },
  busybox: { folder: "images/lab-only/busybox", onBase: true },
  proxyv2: {
    folder: "images/lab-only/proxyv2",
    onBase: true,
    tools: ["pilot-agent", "envoy"],
    preparation: envoyBootstrap,
  },
  devcontainer: { folder: "images/devcontainer", sources: ["images/sshd"], onBase: true },
  "sshd-bundle": { folder: "images/sshd-bundle", sources: ["images/sshd"], onBase: true },
  frps: { folder: "images/frp", target: "frps", onBase: false, tools: ["frps", "frpc"] },
  frpc: { folder: "images/frp", target: "frpc", onBase: true, tools: ["frps", "frpc"] },
  "frp-authorizer": {
    folder: "images/frp-authorizer",
    sources: ["frp-authorizer/src", "frp-authorizer/package.json"],
    onBase: true,
    prebuilt: true,
    preparation: nodeProgram,
  },
  dufs: { folder: "images/dufs", onBase: true, tools: ["dufs"] },
} as const satisfies Record<string, Recipe>;

/** An image the lab can build. */
export type ImageName = keyof typeof RECIPES;

export const IMAGE_NAMES = Object.keys(RECIPES) as readonly ImageName[];

export function recipeOf(name: ImageName): Recipe {
  return RECIPES[name];
}
