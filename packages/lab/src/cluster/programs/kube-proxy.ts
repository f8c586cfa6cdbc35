import { join } from "node:path";
import { addresses, nodeName } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import { httpOk } from "../supervisor/probes.ts";
import type { Program } from "../supervisor/program.ts";

/** kube-proxy's configuration file. */
export function kubeProxyConfig(kubeconfig: string): object {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "iptables",
    clientConnection: { kubeconfig },
    hostnameOverride: nodeName,
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

export function kubeProxy({ tools, layout }: Plan): Program {
  const config = join(layout.config, "kube-proxy.json");
  const kubeconfig = join(layout.kubeconfigs, "kube-proxy");
  return {
    name: "kube-proxy",
    after: ["kube-apiserver"],
    command: tools["kube-proxy"],
    args: [`--config=${config}`],
    files: { [config]: JSON.stringify(kubeProxyConfig(kubeconfig), undefined, 2) },
    ready: httpOk("http://127.0.0.1:10256/healthz"),
  };
}
