/** A pod of no team, from which tests try what can be reached. */

import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { apply, kubectl, run } from "./lab.ts";
import { restricted } from "./restricted.ts";

/** Starts a namespace with one small pod in it that also answers HTTP on port 8080. */
export async function startProbe(namespace: string): Promise<void> {
  await apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "probe", namespace },
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: "probe",
            image: imageRef("busybox"),
            imagePullPolicy: "Never",
            command: ["httpd", "-f", "-p", "8080", "-h", "/"],
            securityContext: restricted,
          },
        ],
      },
    },
  );
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/probe", "--timeout=60s"]);
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
