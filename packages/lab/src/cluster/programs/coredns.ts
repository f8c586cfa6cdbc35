import { join } from "node:path";
import type { KubeObject } from "../../kube/object.ts";
import { addresses, clusterDomain } from "../addresses.ts";
import type { Plan } from "../plan.ts";
import type { Program } from "../supervisor/keeper.ts";
import { httpOk } from "../supervisor/probes.ts";

const metadata = { namespace: "kube-system", labels: { "k8s-app": "kube-dns" } };
const ports = [
  { name: "dns", port: 53, protocol: "UDP" },
  { name: "dns-tcp", port: 53, protocol: "TCP" },
];

/** Cluster DNS at its usual Service; CoreDNS is a process of the machine, so the Service has no selector. */
export const dnsObjects: readonly KubeObject[] = [
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...metadata, name: "kube-dns" },
    spec: { clusterIP: addresses.dnsService, ports },
  },
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      ...metadata,
      name: "kube-dns-lab",
      labels: { ...metadata.labels, "kubernetes.io/service-name": "kube-dns" },
    },
    addressType: "IPv4",
    endpoints: [{ addresses: [addresses.controlPlane] }],
    ports,
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "system:coredns" },
    rules: [
      { apiGroups: [""], resources: ["services", "namespaces", "pods"], verbs: ["list", "watch"] },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
    ],
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "system:coredns" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:coredns" },
    subjects: [{ kind: "ServiceAccount", name: "coredns", namespace: "kube-system" }],
  },
];

/** Names of the cluster come from its API; any other name does not exist, since an instance has no way out. */
function corefile(kubeconfig: string): string {
  // Two blocks, since CoreDNS asks `template` before `kubernetes` within one.
  return `${clusterDomain}:53 in-addr.arpa:53 ip6.arpa:53 {
  bind ${addresses.controlPlane}
  errors
  ready 127.0.0.1:8181
  kubernetes ${clusterDomain} in-addr.arpa ip6.arpa {
    kubeconfig ${kubeconfig}
    pods insecure
  }
}
.:53 {
  bind ${addresses.controlPlane}
  errors
  template IN ANY . {
    rcode NXDOMAIN
  }
}
`;
}

export function coredns({ tools, layout }: Plan): Program {
  const config = join(layout.config, "Corefile");
  return {
    name: "coredns",
    after: ["dns objects"],
    command: tools.coredns,
    args: ["-conf", config],
    files: { [config]: corefile(join(layout.kubeconfigs, "coredns")) },
    ready: httpOk("http://127.0.0.1:8181/ready"),
  };
}
