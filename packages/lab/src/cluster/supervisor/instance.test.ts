import { expect, test } from "vitest";
import { KubeClient } from "../../kube/client.ts";
import type { Transport } from "../../kube/transport.ts";
import { layoutOf } from "../layout.ts";
import { clusterTools, type Plan } from "../plan.ts";
import { runSteps } from "./graph.ts";
import { instanceSteps } from "./instance.ts";

const plan: Plan = {
  name: "unit",
  layout: layoutOf("unit", "/state"),
  tools: Object.fromEntries(clusterTools.map((tool) => [tool, `/tools/${tool}`])) as Plan["tools"],
  clientTools: [],
  pauseImage: "drawbridge.local/pause:lab",
  istio: "/cache/istio.json",
  imageStore: "/cache/containerd",
};
const { programs, others } = instanceSteps(plan, new KubeClient({} as Transport));

test("every part of an instance can be reached, in an order that exists", async () => {
  const done: string[] = [];
  const steps = [...programs, ...others].map(({ name, after }) => ({ name, after, run: async () => {} }));
  await runSteps(steps, ({ name }) => done.push(name));
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
    "kube-proxy",
    "kube-scheduler",
    "kubelet",
    "network",
    "storage class",
  ]);
  const before = (earlier: string, later: string) => done.indexOf(earlier) < done.indexOf(later);
  expect(before("network", "kube-apiserver")).toBe(true);
  expect(before("cgroups", "kubelet")).toBe(true);
});

test("every program runs from the plan's tools and writes below the instance's folder alone", () => {
  const written = programs.flatMap(({ files = {}, folders = [] }) => [...Object.keys(files), ...folders]);
  expect(written.filter((path) => !path.startsWith("/state/unit/"))).toEqual([]);
  expect(written.length).toBe(9);
  expect(programs.map(({ command }) => command)).toEqual([
    "/tools/etcd",
    "/tools/kube-apiserver",
    "/tools/kube-controller-manager",
    "/tools/kube-scheduler",
    "/tools/containerd",
    "/tools/kubelet",
    "/tools/kube-proxy",
    "/tools/coredns",
    "/tools/pilot-discovery",
  ]);
});
