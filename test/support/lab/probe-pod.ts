/** A pod of no team, from which tests try what can be reached. */

import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { apply, kubectl, run } from "../../../scripts/lib/lab/lab.ts";
import { restricted } from "./restricted.ts";

/** A pod of one busybox, which ends at once when it is deleted. */
export const busyboxPod = (
  namespace: string,
  name: string,
  container: object,
  spec: object = {},
): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace },
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    ...spec,
    containers: [{ name, image: imageRef("busybox"), imagePullPolicy: "Never", ...container }],
  },
});

/** Starts a namespace with this pod in it. */
export async function startAlone(
  namespace: string,
  name: string,
  container: object,
  spec: object = {},
  seconds = 60,
): Promise<void> {
  await apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    busyboxPod(namespace, name, container, spec),
  );
  const ready = ["wait", "--for=condition=Ready", `pod/${name}`, `--timeout=${seconds}s`];
  await kubectl(["-n", namespace, ...ready]);
}

/** Starts a namespace with one small pod in it that also answers HTTP on port 8080. */
export async function startProbe(namespace: string): Promise<void> {
  const command = ["httpd", "-f", "-p", "8080", "-h", "/"];
  await startAlone(namespace, "probe", { command, securityContext: restricted });
}

/** The first bytes that an address answers to the probe over TCP, or `nothing`. */
export async function knock(namespace: string, address: string, port: number): Promise<string> {
  const script = `(printf 'GET / HTTP/1.0\\r\\n\\r\\n'; sleep 1) | nc -w 3 ${address} ${port} | head -c 7`;
  const outcome = await run("kubectl", ["-n", namespace, "exec", "probe", "--", "sh", "-c", script]);
  return outcome.stdout === "" ? "nothing" : outcome.stdout;
}

export async function stopProbe(namespace: string): Promise<void> {
  await kubectl(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"]);
}
