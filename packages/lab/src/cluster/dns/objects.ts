import type { KubeObject } from "../../kube/object.ts";
import { addresses } from "../addresses.ts";

const metadata = { namespace: "kube-system", labels: { "k8s-app": "kube-dns" } };

/** Cluster DNS at its usual Service; CoreDNS is a process of the machine, so the Service has no selector. */
export const dnsObjects: readonly KubeObject[] = [
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...metadata, name: "kube-dns" },
    spec: {
      clusterIP: addresses.dnsService,
      ports: [
        { name: "dns", port: 53, protocol: "UDP" },
        { name: "dns-tcp", port: 53, protocol: "TCP" },
      ],
    },
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
    endpoints: [{ addresses: [addresses.node] }],
    ports: [
      { name: "dns", port: 53, protocol: "UDP" },
      { name: "dns-tcp", port: 53, protocol: "TCP" },
    ],
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
