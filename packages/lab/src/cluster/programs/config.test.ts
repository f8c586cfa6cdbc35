import { expect, test } from "vitest";
import { layoutOf } from "../layout.ts";
import { cniFiles, containerdConfig } from "./containerd.ts";
import { kubeletConfig, kubeProxyConfig } from "./node.ts";

const layout = layoutOf("unit", "/state");

test("containerd keeps everything in the instance's own folders, or below /run, which is the instance's own", () => {
  const config = containerdConfig(layout, "/tools/runc", "drawbridge.local/pause:lab");
  const paths = [...config.matchAll(/"(\/[^"]*)"/g)].map((match) => match[1] ?? "");
  expect(paths.filter((path) => !/^\/(state\/unit|run|tools)\//.test(path))).toEqual([]);
  expect(paths.length).toBe(7);
  expect(Object.keys(cniFiles(layout))).toEqual(["/state/unit/cni/net.d/10-drawbridge-lab.conflist"]);
});

test("each instance's pods are below a cgroup of its own", () => {
  expect(kubeletConfig(layout)).toMatchObject({ cgroupRoot: "/drawbridge-lab-unit", failCgroupV1: false });
  expect(kubeletConfig(layoutOf("other", "/state"))).toMatchObject({ cgroupRoot: "/drawbridge-lab-other" });
});

test("kubelet and kube-proxy leave alone what belongs to the whole machine", () => {
  expect(kubeletConfig(layout)).toMatchObject({ oomScoreAdj: 0, imageGCHighThresholdPercent: 100 });
  expect(kubeProxyConfig("/k")).toMatchObject({
    oomScoreAdj: 0,
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
  });
});
