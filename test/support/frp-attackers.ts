/** Who tries frp's walls from inside the cluster: pods of a neighbour's, with or without borrowed labels. */
import * as m from "@drawbridge-iac/manifests";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { frpSeed, frpSuffix } from "./frp-stack.ts";
import { eventually, getObject, kubectl, run } from "./lab.ts";

/** The label by which frps's wall knows containers. Nobody keeps a neighbour from writing it on pods of its own. */
export const containerLabel = { "app.kubernetes.io/component": "dev-container" };

const restricted = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  runAsUser: 1000,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

const apply = (items: readonly object[]) =>
  kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));

/** A pod with busybox, which answers HTTP on 8080; not ready, so that no Service leads to it. */
export async function startPod(
  namespace: string,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  const container = {
    name: "main",
    image: imageRef("busybox"),
    imagePullPolicy: "Never",
    command: ["httpd", "-f", "-p", "8080", "-h", "/"],
    readinessProbe: { exec: { command: ["false"] } },
    securityContext: restricted,
  };
  const spec = {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    containers: [container],
  };
  await apply([{ apiVersion: "v1", kind: "Pod", metadata: { name, namespace, labels }, spec }]);
  await eventually(`pod ${name}`, async () => (await podAddress(namespace, name)) !== "");
}

export async function podAddress(namespace: string, name: string): Promise<string> {
  const { status } = await getObject<{ status: { podIP?: string } }>(["-n", namespace, "pod", name]);
  return status.podIP ?? "";
}

/** Whether a pod's connection is accepted. */
export async function reaches(
  namespace: string,
  pod: string,
  address: string,
  port: number,
): Promise<boolean> {
  const command = `nc -w 3 ${address} ${port} </dev/null`;
  return (await run("kubectl", ["-n", namespace, "exec", pod, "--", "sh", "-c", command])).code === 0;
}

/** What a neighbour's frpc says of itself; the rest is as a container's. */
export interface Claim {
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
  const { caBundle } = m.deriveServerCertificate(frpSeed, `${server}/${server}`, [
    serverAddr,
    `${server}.${server}.svc`,
    `${server}.${server}`,
  ]);
  const access = { serverAddr, caBundle, connectHost: "192.0.2.1", domainSuffix: frpSuffix };
  const authorizer = { namespace: server, serviceAccountName: server };
  const plan = m.planFrpc("x", "x", m.parseArgs("frp", "x", m.frpAccessSchema, { ...access, authorizer }));
  if (plan === undefined) throw new Error("frp is not enabled");
  const toml = edit(m.frpcToml({ ...plan, user, hostName: domain }, token, 22));
  const name = `frpc-${Math.random().toString(36).slice(2, 8)}`;
  const container = {
    name: "frpc",
    image: imageRef("frpc"),
    imagePullPolicy: "Never",
    command: ["frpc", "-c", `${m.frpcPath}/${m.frpcFile}`],
    securityContext: restricted,
    volumeMounts: [{ name: "frpc", mountPath: m.frpcPath }],
  };
  const metadata = { name, namespace, labels: containerLabel };
  await apply([
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata,
      stringData: { [m.frpcFile]: toml, [m.frpcCaFile]: caBundle },
    },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata,
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        containers: [container],
        volumes: [{ name: "frpc", secret: { secretName: name } }],
      },
    },
  ]);
  try {
    return await eventually("frps's answer", async () => {
      const log = await kubectl(["-n", namespace, "logs", name]);
      if (log.includes("start proxy success")) return "registered";
      return /(?:start error|login to the server failed|connect to server error): (.*)/
        .exec(log)?.[1]
        ?.trim();
    });
  } finally {
    // Its name at frps is free again when it is gone.
    await kubectl(["-n", namespace, "delete", "pod,secret", name]);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
