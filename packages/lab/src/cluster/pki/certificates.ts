import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { addresses, clusterDomain } from "../addresses.ts";
import type { NodePlan } from "../nodes/plan.ts";

const run = promisify(execFile);

/** A certificate to issue: who it names (X.509 subject) and, for a server, at which addresses. */
export interface CertificateRequest {
  /** File name without ending, inside the authority's folder. */
  file: string;
  /** Kubernetes reads the user name here. */
  commonName: string;
  /** Kubernetes reads the user's group here. */
  organization?: string;
  /** `DNS:name` and `IP:address` entries. Default: none, a pure client certificate. */
  alternativeNames?: readonly string[];
}

/** The arguments with which `openssl req` issues `request` from the authority in `folder`. */
function issueArguments(folder: string, request: CertificateRequest): string[] {
  const organization = request.organization === undefined ? "" : `/O=${request.organization}`;
  const names = request.alternativeNames ?? [];
  return [
    ...newKey(folder, request.file),
    ...["-CA", join(folder, "ca.crt"), "-CAkey", join(folder, "ca.key")],
    ...["-subj", `${organization}/CN=${request.commonName}`],
    ...["-addext", "basicConstraints=critical,CA:FALSE"],
    ...["-addext", "keyUsage=critical,digitalSignature"],
    ...["-addext", "extendedKeyUsage=serverAuth,clientAuth"],
    ...(names.length === 0 ? [] : ["-addext", `subjectAltName=${names.join(",")}`]),
  ];
}

function newKey(folder: string, file: string): string[] {
  return [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "365"],
    ...["-keyout", join(folder, `${file}.key`), "-out", join(folder, `${file}.crt`)],
  ];
}

/** Makes the cluster's certificate authority (`ca.crt`, `ca.key`) and every certificate asked for. */
export async function issueAll(folder: string, requests: readonly CertificateRequest[]): Promise<void> {
  await run("openssl", [
    ...newKey(folder, "ca"),
    ...["-subj", "/CN=drawbridge-lab", "-addext", "keyUsage=critical,keyCertSign,digitalSignature"],
  ]);
  await Promise.all(requests.map((request) => run("openssl", issueArguments(folder, request))));
}

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
export function certificates(nodes: readonly NodePlan[]): CertificateRequest[] {
  return [
    ...Object.entries(identities).map(([file, identity]) => ({ file, ...identity })),
    ...nodes.map(({ name, address, kubelet }) => ({
      file: kubelet,
      commonName: `system:node:${name}`,
      organization: "system:nodes",
      alternativeNames: [`DNS:${name}`, `IP:${address}`],
    })),
    ...apiServerCertificates,
  ];
}

const apiServerCertificates: readonly CertificateRequest[] = [
  {
    file: "kube-apiserver",
    commonName: "kube-apiserver",
    alternativeNames: [
      ...[...apiServerNames, `kubernetes.default.svc.${clusterDomain}`].map((name) => `DNS:${name}`),
      ...[addresses.controlPlane, addresses.apiServerService, "127.0.0.1"].map((address) => `IP:${address}`),
    ],
  },
  { file: "kube-apiserver-to-kubelet", commonName: "kube-apiserver", organization: "system:masters" },
];

/** The programs that reach the API server through a kubeconfig file. */
export function kubeconfigUsers(nodes: readonly NodePlan[]): string[] {
  return [...Object.keys(identities), ...nodes.map(({ kubelet }) => kubelet)];
}
