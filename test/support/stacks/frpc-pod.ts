/** A frpc of somebody who got hold of a container's files, such as those from before a rotation. */
import { containerLabel, frpcOf } from "../attacks/frp-attackers.ts";
import { eventually, kubectl } from "../lab/lab.ts";

/** Starts frpc in that namespace and returns what frps answered: "registered", or the error. */
export async function frpcPod(
  namespace: string,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const metadata = { name, namespace };
  const spec = {
    ...frpcOf(name),
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
  };
  const items = [
    { apiVersion: "v1", kind: "Secret", metadata, stringData: files },
    { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, labels: containerLabel }, spec },
  ];
  await kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  return eventually("frps's answer", async () => {
    const log = await kubectl(["-n", namespace, "logs", name]);
    if (log.includes("login to server success")) return "registered";
    return /(?:login to the server failed|connect to server error): (.*)/.exec(log)?.[1]?.trim();
  });
}

export async function removeFrpcPod(namespace: string, name: string): Promise<void> {
  await kubectl(["-n", namespace, "delete", `pod/${name}`, `secret/${name}`]);
}
