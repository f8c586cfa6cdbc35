import { addresses, clusterDomain, nodeName } from "../addresses.ts";
import type { CertificateRequest } from "./authority.ts";

/**
 * Client certificates of the programs. Each has only the rights that Kubernetes' own roles, or a chart's,
 * give to its name; a ServiceAccount's name works in a certificate as well as in a token.
 */
export const identities = {
  admin: { commonName: "drawbridge-lab-admin", organization: "system:masters" },
  "kube-controller-manager": { commonName: "system:kube-controller-manager" },
  "kube-scheduler": { commonName: "system:kube-scheduler" },
  "kube-proxy": { commonName: "system:kube-proxy" },
  coredns: { commonName: "system:serviceaccount:kube-system:coredns" },
  istiod: { commonName: "system:serviceaccount:istio-system:istiod" },
} as const satisfies Record<string, { commonName: string; organization?: string }>;

const apiServerNames = ["kubernetes", "kubernetes.default", "kubernetes.default.svc"];

/** Every certificate of an instance. */
export const certificates: readonly CertificateRequest[] = [
  ...Object.entries(identities).map(([file, identity]) => ({ file, ...identity })),
  {
    file: "kubelet",
    commonName: `system:node:${nodeName}`,
    organization: "system:nodes",
    alternativeNames: [`DNS:${nodeName}`, `IP:${addresses.node}`],
  },
  {
    file: "kube-apiserver",
    commonName: "kube-apiserver",
    alternativeNames: [
      ...[...apiServerNames, `kubernetes.default.svc.${clusterDomain}`].map((name) => `DNS:${name}`),
      ...[addresses.node, addresses.apiServerService, "127.0.0.1"].map((address) => `IP:${address}`),
    ],
  },
  { file: "kube-apiserver-to-kubelet", commonName: "kube-apiserver", organization: "system:masters" },
];

/** The programs that reach the API server through a kubeconfig file. */
export const kubeconfigUsers = [...Object.keys(identities), "kubelet"];
