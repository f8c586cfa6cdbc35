import { join } from "node:path";
import type { KubeClient } from "../../kube/client.ts";
import { listAt, stringAt } from "../../kube/object.ts";
import { addresses, clusterDomain } from "../addresses.ts";
import { containerdSocket, type NodeLayout } from "../layout.ts";
import type { NodePlan } from "../nodes/plan.ts";
import type { Plan } from "../plan.ts";
import type { Program } from "../supervisor/keeper.ts";
import { httpOk } from "../supervisor/probes.ts";

/** What a node needs that shares kernel, disk and cgroups with others. */
const sharing = ({ cgroup }: NodeLayout) => ({
  cgroupRoot: cgroup,
  enforceNodeAllocatable: [],
  failCgroupV1: false,
  // Otherwise the eviction manager looks for the file system of the root folder and does not find it.
  localStorageCapacityIsolation: false,
  // A developer's disk may be nearly full.
  evictionHard: { "memory.available": "100Mi", "nodefs.available": "0%", "imagefs.available": "0%" },
});

const emulated = {
  // Starting a pod's sandbox may take longer than the two minutes that kubelet waits by itself.
  runtimeRequestTimeout: "20m",
  // Asking the runtime for everything once a second takes half of all the time.
  featureGates: { EventedPLEG: true },
  // How long a node is kept free after it was short of something. Kubernetes' default is five minutes.
  evictionPressureTransitionPeriod: "30s",
  // As clouds' nodes have it. Without it, pods take the memory that kubelet needs to evict them.
  enforceNodeAllocatable: ["pods"],
  systemReserved: { memory: "640Mi" },
  evictionHard: { "memory.available": "384Mi" },
  mergeDefaultEvictionSettings: true,
};

/** kubelet's configuration file. JSON is valid YAML. */
export function kubeletConfig(certificates: string, { address, kubelet, layout, machine }: NodePlan): object {
  const at = (file: string) => join(certificates, file);
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address,
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: at("ca.crt") } },
    authorization: { mode: "Webhook" },
    tlsCertFile: at(`${kubelet}.crt`),
    tlsPrivateKeyFile: at(`${kubelet}.key`),
    containerRuntimeEndpoint: `unix://${containerdSocket}`,
    cgroupDriver: "cgroupfs",
    failSwapOn: false,
    ...(machine ? emulated : sharing(layout)),
    // An image that was collected could not be pulled again.
    imageGCHighThresholdPercent: 100,
    oomScoreAdj: 0,
    // A /24 leaves 253 addresses beside the node's own.
    maxPods: 240,
    clusterDNS: [addresses.dnsService],
    clusterDomain,
    resolvConf: join(layout.config, "resolv.conf"),
    podLogsDir: layout.podLogs,
    volumePluginDir: join(layout.kubelet, "plugins-exec"),
    // How soon a changed ConfigMap or Secret reaches a running pod. Kubernetes' default is a minute.
    syncFrequency: "10s",
    serializeImagePulls: false,
  };
}

export function kubelet({ tools, layout: cluster }: Plan, node: NodePlan, api: KubeClient): Program {
  const { name, layout } = node;
  const startedMs = Math.floor(Date.now() / 1000) * 1000;
  const config = join(layout.config, "kubelet.json");
  return {
    name: "kubelet",
    after: ["kube-apiserver", "containerd", "cni", "cgroups"],
    command: tools.kubelet,
    args: [
      `--config=${config}`,
      `--kubeconfig=${join(cluster.kubeconfigs, node.kubelet)}`,
      `--root-dir=${layout.kubelet}`,
      `--hostname-override=${name}`,
      `--node-ip=${node.address}`,
    ],
    files: {
      [config]: JSON.stringify(kubeletConfig(cluster.certificates, node), undefined, 2),
      [join(layout.config, "resolv.conf")]: `nameserver ${addresses.dnsService}\n`,
    },
    folders: [layout.kubelet, layout.podLogs],
    ready: async () => {
      const found = await api.get({ apiVersion: "v1", kind: "Node", name });
      return listAt(found, "status", "conditions").some(
        (condition) =>
          stringAt(condition, "type") === "Ready" &&
          stringAt(condition, "status") === "True" &&
          // After a restart, the node still has the heartbeat of the kubelet before.
          Date.parse(stringAt(condition, "lastHeartbeatTime") ?? "") >= startedMs,
      );
    },
  };
}

/** kube-proxy's configuration file. */
export function kubeProxyConfig(kubeconfig: string, node: string): object {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "iptables",
    clientConnection: { kubeconfig },
    hostnameOverride: node,
    clusterCIDR: addresses.pods,
    healthzBindAddress: "127.0.0.1:10256",
    metricsBindAddress: "127.0.0.1:10249",
    oomScoreAdj: 0,
    // The limits of connection tracking belong to the whole machine, not to a network namespace.
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
    // How long changes are gathered before they take effect. The default is a second.
    iptables: { minSyncPeriod: "100ms" },
  };
}

export function kubeProxy({ tools, layout: cluster }: Plan, { name, layout }: NodePlan): Program {
  const config = join(layout.config, "kube-proxy.json");
  const kubeconfig = join(cluster.kubeconfigs, "kube-proxy");
  return {
    name: "kube-proxy",
    after: ["kube-apiserver"],
    command: tools["kube-proxy"],
    args: [`--config=${config}`],
    files: { [config]: JSON.stringify(kubeProxyConfig(kubeconfig, name), undefined, 2) },
    ready: httpOk("http://127.0.0.1:10256/healthz"),
  };
}
