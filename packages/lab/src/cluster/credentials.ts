/** Everything secret of an instance: its authority, its certificates, its kubeconfig files. */
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../kube/transport.ts";
import { addresses, apiServerUrl, clusterDomain } from "./addresses.ts";
import { exec } from "./host/processes.ts";
import type { NodePlan } from "./nodes/plan.ts";
import type { Plan } from "./plan.ts";

/** A certificate to issue: who it names (X.509 subject) and, for a server, at which addresses. */
interface CertificateRequest {
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
  await exec("openssl", [
    ...newKey(folder, "ca"),
    ...["-subj", "/CN=drawbridge-lab", "-addext", "keyUsage=critical,keyCertSign,digitalSignature"],
  ]);
  await Promise.all(requests.map((request) => exec("openssl", issueArguments(folder, request))));
}

/**
 * Client certificates of the programs. Each has only the rights that Kubernetes' own roles, or a chart's,
 * give to its name; a ServiceAccount's name works in a certificate as well as in a token.
 */
const identities = {
  admin: { commonName: "drawbridge-lab-admin", organization: "system:masters" },
  "kube-controller-manager": { commonName: "system:kube-controller-manager" },
  "kube-scheduler": { commonName: "system:kube-scheduler" },
  "kube-proxy": { commonName: "system:kube-proxy" },
  "kube-network-policies": { commonName: "system:serviceaccount:kube-system:kube-network-policies" },
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
  // As which it asks the servers of further APIs, naming its user.
  { file: "front-proxy-client", commonName: "front-proxy-client" },
  { file: "kube-apiserver-to-kubelet", commonName: "kube-apiserver", organization: "system:masters" },
];

/** The programs that reach the API server through a kubeconfig file. */
export function kubeconfigUsers(nodes: readonly NodePlan[]): string[] {
  return [...Object.keys(identities), ...nodes.map(({ kubelet }) => kubelet)];
}

/** The pair with which service account tokens are signed and checked: `service-account.key` and `.pub`. */
async function writeServiceAccountKey(folder: string): Promise<void> {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await Promise.all([
    writeFile(
      join(folder, "service-account.key"),
      // The controller manager's reader of private keys takes SEC 1 for elliptic curves.
      pair.privateKey.export({ type: "sec1", format: "pem" }),
      { mode: 0o600 },
    ),
    writeFile(join(folder, "service-account.pub"), pair.publicKey.export({ type: "spki", format: "pem" })),
  ]);
}

/** PEM texts of one user of the cluster. */
interface Credentials {
  /** The authority's certificate. */
  ca: string;
  cert: string;
  key: string;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** A kubeconfig with everything embedded, so that the one file can be copied elsewhere. JSON is valid YAML. */
export function kubeconfigOf(user: string, credentials: Credentials): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "drawbridge-lab",
        cluster: { server: apiServerUrl, "certificate-authority-data": base64(credentials.ca) },
      },
    ],
    users: [
      {
        name: user,
        user: {
          "client-certificate-data": base64(credentials.cert),
          "client-key-data": base64(credentials.key),
        },
      },
    ],
    contexts: [{ name: "drawbridge-lab", context: { cluster: "drawbridge-lab", user } }],
    "current-context": "drawbridge-lab",
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

async function readCredentials(folder: string, file: string): Promise<Credentials> {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  return { ca: await read("ca.crt"), cert: await read(`${file}.crt`), key: await read(`${file}.key`) };
}

/** How a supervisor itself reaches the API server. */
export async function apiConnection(folder: string, file: string): Promise<Connection> {
  return { server: apiServerUrl, tls: await readCredentials(folder, file) };
}

/** One kubeconfig per program, and the administrator's, readable by root alone. */
async function writeKubeconfigs({ layout, nodes }: Plan): Promise<void> {
  await Promise.all(
    kubeconfigUsers(nodes).map(async (user) => {
      const path = user === "admin" ? layout.kubeconfig : join(layout.kubeconfigs, user);
      const credentials = await readCredentials(layout.certificates, user);
      await writeFile(path, kubeconfigOf(user, credentials), { mode: 0o600 });
    }),
  );
}

/** Everything secret of an instance: its authority, its certificates, its kubeconfig files. */
export async function makeCredentials(plan: Plan): Promise<void> {
  const { layout, nodes } = plan;
  await Promise.all(
    [layout.certificates, layout.kubeconfigs].map((folder) =>
      mkdir(folder, { recursive: true, mode: 0o700 }),
    ),
  );
  await Promise.all([
    issueAll(layout.certificates, certificates(nodes)),
    writeServiceAccountKey(layout.certificates),
  ]);
  await writeKubeconfigs(plan);
}
