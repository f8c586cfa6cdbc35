import { expect, test } from "vitest";
import { layoutOf } from "../layout.ts";
import { type NodePlan, planNodes } from "../nodes/plan.ts";
import { cniFiles, containerdConfig } from "./containerd.ts";
import { kubeletConfig, kubeProxyConfig } from "./node.ts";

const nodesOf = (lab: string, count = 1, machine = false) =>
  planNodes(layoutOf(lab, "/state"), count, machine);
const [first, second] = nodesOf("unit", 2) as [NodePlan, NodePlan];
const configOf = (node: NodePlan) => kubeletConfig("/state/unit/certificates", node);

test("containerd keeps everything in the instance's own folders, or below /run, which is the instance's own", () => {
  const config = containerdConfig(first, "/tools/runc", "drawbridge.local/pause:lab");
  const paths = [...config.matchAll(/"(\/[^"]*)"/g)].map((match) => match[1] ?? "");
  expect(paths.filter((path) => !/^\/(state\/unit|run|tools)\//.test(path))).toEqual([]);
  expect(paths.length).toBe(7);
  expect(Object.keys(cniFiles(first))).toEqual(["/state/unit/cni/net.d/10-drawbridge-lab.conflist"]);
});

test("each instance's pods are below a cgroup of its own, and each further node's below one there", () => {
  expect(configOf(first)).toMatchObject({ cgroupRoot: "/drawbridge-lab-unit", failCgroupV1: false });
  expect(nodesOf("other").map(configOf)).toMatchObject([{ cgroupRoot: "/drawbridge-lab-other" }]);
  expect(configOf(second)).toMatchObject({ cgroupRoot: "/drawbridge-lab-unit/lab-node-2" });
});

test("a node's programs have addresses, names, certificates and pods of their own", () => {
  expect([first, second].map(configOf)).toMatchObject([
    { address: "10.201.0.1", tlsCertFile: "/state/unit/certificates/kubelet.crt" },
    { address: "10.201.0.2", tlsCertFile: "/state/unit/certificates/kubelet-lab-node-2.crt" },
  ]);
  const path = "/state/unit/lab-node-2/cni/net.d/10-drawbridge-lab.conflist";
  const chain = JSON.parse(cniFiles(second)[path] ?? "") as { plugins: object[] };
  expect(chain.plugins[0]).toMatchObject({
    ipam: { dataDir: "/state/unit/lab-node-2/cni/leases", ranges: [[{ subnet: "10.244.1.0/24" }]] },
  });
  expect(kubeProxyConfig("/k", second.name)).toMatchObject({
    hostnameOverride: "lab-node-2",
    clusterCIDR: "10.244.0.0/16",
  });
});

test("a machine has its own kernel, disk and cgroups, and enforces AppArmor", () => {
  const machine = nodesOf("unit", 1, true)[1] as NodePlan;
  const shared = ["cgroupRoot", "failCgroupV1", "localStorageCapacityIsolation"];
  const has = (node: NodePlan) => shared.filter((field) => field in configOf(node));
  expect([first, machine].map(has)).toEqual([shared, []]);
  const enforced = (node: NodePlan) =>
    (configOf(node) as { enforceNodeAllocatable: [] }).enforceNodeAllocatable;
  expect([first, machine].map(enforced)).toEqual([[], ["pods"]]);
  const apparmor = (node: NodePlan) =>
    /disable_apparmor = (\w+)/.exec(containerdConfig(node, "/r", "p"))?.[1];
  expect([first, machine].map(apparmor)).toEqual(["true", "false"]);
});

test("kubelet and kube-proxy leave alone what belongs to the whole machine", () => {
  expect(configOf(first)).toMatchObject({ oomScoreAdj: 0, imageGCHighThresholdPercent: 100 });
  expect(kubeProxyConfig("/k", "lab-node")).toMatchObject({
    oomScoreAdj: 0,
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
  });
});
