/** A frpc of someone who got hold of a container's files, such as those from before a rotation. */

import { apply, eventually, kubectl } from "../../../scripts/lib/lab/lab.ts";
import { containerLabel, frpcOf } from "../../support/attacks/frp-attackers.ts";

const podsOf: Readonly<Record<string, object>> = {
  "kube-system": { matchLabels: { "k8s-app": "kube-dns" } },
  frp: { matchLabels: { "app.kubernetes.io/component": "frp-server" } },
};

/** Starts frpc in that namespace and returns what frps answered: "registered", or the error. */
export async function frpcPod(
  namespace: string,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const metadata = { name, namespace };
  const spec = { ...frpcOf(name), automountServiceAccountToken: false, terminationGracePeriodSeconds: 0 };
  // A team's namespace denies what no policy opens.
  const labels = { ...containerLabel, frpc: name };
  const to = (of: string, port: number, protocol: string) => ({
    to: [
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": of } }, podSelector: podsOf[of] },
    ],
    ports: [{ port, protocol }],
  });
  const egress = [to("kube-system", 53, "UDP"), to("frp", 7000, "TCP")];
  const policy = { podSelector: { matchLabels: { frpc: name } }, policyTypes: ["Egress"], egress };
  await apply(
    { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata, spec: policy },
    { apiVersion: "v1", kind: "Secret", metadata, stringData: files },
    { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, labels }, spec },
  );
  return eventually("frps's answer", async () => {
    const log = await kubectl(["-n", namespace, "logs", name]);
    if (log.includes("login to server success")) return "registered";
    return /(?:login to the server failed|connect to server error): (.*)/.exec(log)?.[1]?.trim();
  });
}

export async function removeFrpcPod(namespace: string, name: string): Promise<void> {
  await kubectl(["-n", namespace, "delete", `pod/${name}`, `secret/${name}`, `networkpolicy/${name}`]);
}
