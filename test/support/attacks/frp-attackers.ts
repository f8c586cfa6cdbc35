/** Attackers of frp inside the cluster: pods of a neighbour, with or without borrowed labels, and of strangers. */

import { deriveServerCertificate } from "@drawbridge-iac/drawbridge/src/frp-server/certificate";
import { frpAccessSchema } from "@drawbridge-iac/drawbridge/src/host/frpc/args";
import { type KnownFrpcPlan, planFrpc } from "@drawbridge-iac/drawbridge/src/host/frpc/plan";
import {
  frpcCaFile,
  frpcFile,
  frpcPath,
  frpcTokenFile,
  frpcTokenVariable,
  frpcToml,
} from "@drawbridge-iac/drawbridge/src/host/frpc/toml";
import { parseArgs } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import { tokenHash } from "@drawbridge-iac/drawbridge/src/kit/crypto";
import { privateNetworks } from "@drawbridge-iac/drawbridge/src/kubernetes/networks";
import {
  role,
  roleBinding,
  serviceAccountSubject,
} from "../../../packages/drawbridge/src/kubernetes/rbac.ts";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { eventually, found, kubectl, run } from "../../../scripts/lib/lab/lab.ts";
import { deploy, deployment, neighbour } from "../../../scripts/lib/stacks/deployer.ts";
import type { PodObject } from "../lab/nodes.ts";
import { restricted } from "../lab/restricted.ts";
import { frpSeed, frpSuffix } from "../stacks/frp-stack.ts";

/** The label by which frps's NetworkPolicy knows containers. Nothing keeps a neighbour from using it on its pods. */
export const containerLabel = { "app.kubernetes.io/component": "dev-container" };

/** A Deployment of busybox, which answers HTTP on 8080; not ready, so that no Service leads to it. */
export function knocker(namespace: string, name: string, labels: Record<string, string> = {}): object {
  const container = {
    name: "main",
    image: imageRef("busybox"),
    imagePullPolicy: "Never",
    command: ["httpd", "-f", "-p", "8080", "-h", "/"],
    readinessProbe: { exec: { command: ["false"] } },
    securityContext: restricted,
  };
  return deployment(namespace, name, { labels, containers: [container] });
}

/** The most that a team may open for its own pods: everybody comes in, and they reach what the policies let them declare. */
export function widest(namespace: string): object {
  const anywhere = { namespaceSelector: {} };
  const frpServers = { matchLabels: { "app.kubernetes.io/component": "frp-server" } };
  const kubeSystem = { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } };
  const { ipv4 } = privateNetworks;
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "widest", namespace },
    spec: {
      podSelector: {},
      policyTypes: ["Ingress", "Egress"],
      ingress: [{}],
      egress: [
        { to: [{ podSelector: {} }, { ipBlock: { cidr: "0.0.0.0/0", except: [...ipv4] } }] },
        { to: [{ ...anywhere, podSelector: frpServers }] },
        {
          to: [{ namespaceSelector: kubeSystem, podSelector: { matchLabels: { "k8s-app": "kube-dns" } } }],
          ports: [
            { port: 53, protocol: "UDP" },
            { port: 53, protocol: "TCP" },
          ],
        },
      ],
    },
  };
}

/** The address of the one running pod that a selector finds. */
export async function podAddress(namespace: string, selector: string): Promise<string> {
  return eventually(`the address of ${selector}`, async () => {
    const pods = await found<PodObject>(namespace, "pods", selector);
    return pods.find(({ status }) => status.phase === "Running")?.status.podIP;
  });
}

/** Whether a connection from a Deployment's pod is accepted. */
export async function reaches(namespace: string, name: string, address: string, port: number) {
  const command = `nc -w 3 ${address} ${port} </dev/null`;
  const args = ["-n", namespace, "exec", `deployment/${name}`, "--", "sh", "-c", command];
  return (await run("kubectl", args)).code === 0;
}

/** A token of a neighbour's own. */
export const ownToken = "a neighbour's own token, long enough";

/** A grant for a container of that name, with that token. */
export const grantOf = (namespace: string, name: string, data: Record<string, string> = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: `frp-grant.${name}`, namespace },
  data: { tokenSha256: tokenHash(ownToken), ...data },
});

/** As a team's own stack makes it: the authorizer may read this namespace's grants. */
export function grantsReader(namespace: string, server: string): object[] {
  const metadata = { name: "frp-grants", namespace };
  return [
    role(metadata, [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }]),
    roleBinding(metadata, [serviceAccountSubject(server, server)]),
  ];
}

/** A pod's frpc that reads its files from a Secret. */
export const frpcOf = (secretName: string) => ({
  containers: [
    {
      name: "frpc",
      image: imageRef("frpc"),
      imagePullPolicy: "Never",
      command: ["frpc", "-c", `${frpcPath}/${frpcFile}`],
      env: [
        { name: frpcTokenVariable, valueFrom: { secretKeyRef: { name: secretName, key: frpcTokenFile } } },
      ],
      securityContext: restricted,
      volumeMounts: [{ name: "frpc", mountPath: frpcPath }],
    },
  ],
  volumes: [{ name: "frpc", secret: { secretName } }],
});

/** What a neighbour's frpc says of itself; the rest is as a container's. */
interface Claim {
  /** `<namespace>.<name>` */
  readonly user: string;
  readonly token: string;
  readonly domain: string;
  /** Lines put in place of others, as a frpc's owner may. */
  readonly edit?: (toml: string) => string;
}

/** Runs a frpc with that claim in the neighbour's namespace and returns what frps said to it last. */
export async function registerAs(
  namespace: string,
  server: string,
  { user, token, domain, edit = (toml) => toml }: Claim,
): Promise<string> {
  const serverAddr = `${server}.${server}.svc.cluster.local`;
  const { caBundle } = deriveServerCertificate(frpSeed, `${server}/${server}`, [
    serverAddr,
    `${server}.${server}.svc`,
    `${server}.${server}`,
  ]);
  const authorizer = { namespace: server, serviceAccountName: server };
  const access = { server: { serverAddr, caBundle, address: "192.0.2.1", domain: frpSuffix, authorizer } };
  const plan = planFrpc("x", "x", parseArgs("frp", "x", frpAccessSchema, access)) as KnownFrpcPlan;
  if (plan === undefined) throw new Error("frp is not enabled");
  const names = { user, hostName: domain, serverAddr, serverName: serverAddr };
  const toml = edit(frpcToml({ ...plan, ...names }, 22));
  const name = `frpc-${Math.random().toString(36).slice(2, 8)}`;
  const pod = {
    labels: containerLabel,
    ...frpcOf(name),
    // Without a grace period the pod would count as gone while frpc still has its name at frps.
    terminationGracePeriodSeconds: 5,
  };
  await deploy([
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace },
      stringData: { [frpcFile]: toml, [frpcCaFile]: caBundle, [frpcTokenFile]: token },
    },
    deployment(namespace, name, pod),
  ]);
  try {
    return await eventually("frps's answer", async () => {
      const log = await kubectl([...neighbour, "-n", namespace, "logs", `deployment/${name}`]);
      if (log.includes("start proxy success")) return "registered";
      return /(?:start error|login to the server failed|connect to server error): (.*)/
        .exec(log)?.[1]
        ?.trim();
    });
  } finally {
    // Its name at frps is free again when its pod is gone.
    const gone = ["delete", "deployment,secret", name, "--cascade=foreground"];
    await kubectl([...neighbour, "-n", namespace, ...gone]);
  }
}
