/** A lab that starts with previous versions: what it runs first, and what each program is replaced by. */
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ToolName } from "../tools/index.ts";
import type { Layout } from "./layout.ts";
import type { ClusterTool, Plan, Previous } from "./plan.ts";

/** The programs that can be replaced while a lab runs, by their names in its status, each with its tool. */
export const replaceable = {
  "kube-apiserver": "kube-apiserver",
  "kube-controller-manager": "kube-controller-manager",
  "kube-scheduler": "kube-scheduler",
  kubelet: "kubelet",
  "kube-proxy": "kube-proxy",
  istiod: "pilot-discovery",
} as const satisfies Record<string, ClusterTool>;

export type ReplaceableProgram = keyof typeof replaceable;

const tools = Object.values(replaceable);

/** The tools of previous versions that such a lab needs besides the others. */
export const previousTools = [
  ...tools.map((tool) => `previous-${tool}` as const),
  "previous-istio-charts",
] as const satisfies readonly ToolName[];

/** Where the supervisors find a program that is replaced while they run: a link, since they start the same path again. */
export const linkOf = ({ programs }: Layout, tool: string) => join(programs, tool);

/** Links to use in place of the programs that can be replaced. */
export function linkedTools(layout: Layout): Partial<Plan["tools"]> {
  return Object.fromEntries(tools.map((tool) => [tool, linkOf(layout, tool)]));
}

/** @param paths of all programs, including the previous ones */
export function previousOf(paths: Record<string, string>, istio: string): Previous {
  const each = (prefix: string) =>
    Object.fromEntries(tools.map((tool) => [tool, paths[`${prefix}${tool}`] ?? ""]));
  return { tools: each("previous-"), newer: each(""), istio };
}

/** Makes the links, each to the previous program. */
export async function linkPrevious({ layout, previous }: Plan): Promise<void> {
  if (previous === undefined) return;
  await mkdir(layout.programs);
  const links = Object.entries(previous.tools);
  await Promise.all(links.map(([tool, path]) => symlink(path, linkOf(layout, tool))));
}
