import { expect, test } from "vitest";
import { KubeClient } from "../../kube/client.ts";
import type { Transport } from "../../kube/transport.ts";
import { layoutOf } from "../layout.ts";
import { planNodes } from "../nodes/plan.ts";
import { clusterTools, type Plan } from "../plan.ts";
import { runSteps } from "./graph.ts";
import { type Parts, partsOf } from "./parts.ts";

const layout = layoutOf("unit", "/state");
const plan: Plan = {
  name: "unit",
  layout,
  nodes: planNodes(layout, 2),
  tools: Object.fromEntries(clusterTools.map((tool) => [tool, `/tools/${tool}`])) as Plan["tools"],
  clientTools: [],
  pauseImage: "drawbridge.local/pause:lab",
  metallbImage: "drawbridge.local/metallb:lab",
  istio: "/cache/istio.json",
  dns: "/cache/dns.json",
  imageStore: "/cache/containerd",
};
const parts = plan.nodes.map((node) => partsOf(plan, node, new KubeClient({} as Transport))) as [
  Parts,
  Parts,
];
const [first, second] = parts;

/** The names of all steps in an order in which they can be done. */
async function order({ programs, others }: Parts): Promise<string[]> {
  const done: string[] = [];
  const steps = [...programs, ...others].map(({ name, after }) => ({ name, after, run: async () => {} }));
  await runSteps(steps, ({ name }) => done.push(name));
  return done;
}

test("every part of an instance can be reached, in an order that exists", async () => {
  const done = await order(first);
  expect(done.toSorted()).toEqual([
    "cgroups",
    "cni",
    "containerd",
    "controllers",
    "coredns",
    "dns objects",
    "etcd",
    "istio definitions",
    "istio objects",
    "istiod",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-network-policies",
    "kube-proxy",
    "kube-scheduler",
    "kubelet",
    "metallb objects",
    "network",
    "policy objects",
    "policy rules",
    "storage class",
  ]);
  const before = (earlier: string, later: string) => done.indexOf(earlier) < done.indexOf(later);
  expect(before("network", "kube-apiserver")).toBe(true);
  expect(before("cgroups", "kubelet")).toBe(true);
});

test("a further node has the parts of a node, and waits for the API server of the first", async () => {
  expect((await order(second)).toSorted()).toEqual([
    "cgroups",
    "cni",
    "containerd",
    "kube-apiserver",
    "kube-network-policies",
    "kube-proxy",
    "kubelet",
    "network",
    "policy rules",
  ]);
  expect(second.programs.map(({ name }) => name)).toEqual([
    "containerd",
    "kubelet",
    "kube-proxy",
    "kube-network-policies",
  ]);
});

test("every program runs from the plan's tools and writes below the instance's folder alone", () => {
  const written = ({ programs }: Parts) =>
    programs.flatMap(({ files = {}, folders = [] }) => [...Object.keys(files), ...folders]);
  expect(written(first).filter((path) => !path.startsWith("/state/unit/"))).toEqual([]);
  expect(written(first).length).toBe(7);
  expect(written(second).filter((path) => !path.startsWith("/state/unit/lab-node-2/"))).toEqual([]);
  expect(written(second).length).toBe(7);
  expect(first.programs.map(({ command }) => command)).toEqual([
    "/tools/etcd",
    "/tools/kube-apiserver",
    "/tools/kube-controller-manager",
    "/tools/kube-scheduler",
    "/tools/containerd",
    "/tools/kubelet",
    "/tools/kube-proxy",
    "/tools/kube-network-policies",
  ]);
});
