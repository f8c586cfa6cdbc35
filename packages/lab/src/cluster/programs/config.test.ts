import { expect, test } from "vitest";
import { layoutOf } from "../layout.ts";
import { cniFiles } from "./cni.ts";
import { containerdConfig } from "./containerd.ts";
import { corefile } from "./coredns.ts";
import { kubeProxyConfig } from "./kube-proxy.ts";
import { kubeletConfig } from "./kubelet.ts";

const layout = layoutOf("unit", "/state");

test("containerd keeps everything in the instance's own folders", () => {
  expect(containerdConfig(layout, "/tools/runc", "drawbridge.local/pause:lab")).toBe(`version = 3
root = "/state/unit/containerd"
state = "/run/containerd"

[grpc]
  address = "/run/containerd/containerd.sock"

[plugins."io.containerd.internal.v1.opt"]
  path = "/state/unit/containerd-opt"

[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "drawbridge.local/pause:lab"

[plugins."io.containerd.cri.v1.runtime"]
  # Without CAP_SYS_RESOURCE root may not lower a score below its own; in the lab nothing needs it.
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ["/state/unit/cni/bin"]
    conf_dir = "/state/unit/cni/net.d"
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
      BinaryName = "/tools/runc"
      SystemdCgroup = false
`);
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

test("pods get their addresses from the plan's range, on a bridge they can be sent back by", () => {
  const files = cniFiles(layout);
  expect(Object.keys(files)).toEqual(["/state/unit/cni/net.d/10-drawbridge-lab.conflist"]);
  expect(JSON.parse(Object.values(files)[0] ?? "").plugins).toEqual([
    {
      type: "bridge",
      bridge: "pods0",
      isDefaultGateway: true,
      hairpinMode: true,
      ipam: {
        type: "host-local",
        dataDir: "/state/unit/cni/leases",
        ranges: [[{ subnet: "10.244.0.0/24" }]],
      },
    },
    { type: "portmap", capabilities: { portMappings: true } },
  ]);
});

test("DNS knows the cluster's names and denies all others", () => {
  expect(corefile("/k")).toBe(`cluster.local:53 in-addr.arpa:53 ip6.arpa:53 {
  bind 10.201.0.1
  errors
  ready 127.0.0.1:8181
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig /k
    pods insecure
  }
}
.:53 {
  bind 10.201.0.1
  errors
  template IN ANY . {
    rcode NXDOMAIN
  }
}
`);
});
