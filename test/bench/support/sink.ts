/** An echoing server in a pod, to which tunnels lead when only the way counts and not sshd. */
import { hostRoute } from "@drawbridge-iac/drawbridge/src/istio/ssh-route";
import { planOf } from "../../../packages/drawbridge/src/dev-container/plan.fixture.ts";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { apply, kubectl } from "../../../scripts/lib/lab/lab.ts";
import type { Removal } from "../cleanup.ts";
import type { KubeObject } from "./api.ts";
import { removeNamespaces } from "./stack.ts";
import { teamNamespace } from "./teams.ts";

export const sinkPort = 2222;
const selector = { app: "sink" };
// The gateway connects to containers alone.
const asContainer = { "app.kubernetes.io/component": "dev-container" };
// Takes every connection, holds it and sends back what comes; the other side's end is the only end.
const program = `require("node:net").createServer((s) => s.on("error", () => {}).pipe(s)).listen(${sinkPort})`;

/** Makes a namespace with the server in it. */
export async function startSink(namespace: string, later: (removal: Removal) => void): Promise<void> {
  const objects = [
    teamNamespace(namespace),
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "sink", namespace, labels: { ...selector, ...asContainer } },
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: "sink",
            // The one image of ours that holds Node.
            image: imageRef("programs"),
            imagePullPolicy: "IfNotPresent",
            command: ["node", "--eval", program],
            readinessProbe: { tcpSocket: { port: sinkPort }, periodSeconds: 1 },
          },
        ],
      },
    },
  ];
  later(() => removeNamespaces([namespace]));
  await apply(...objects);
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/sink", "--timeout=90s"]);
}

/** A Service that leads to the server, as each container has one. */
export function sinkService(namespace: string, name: string, spec: object = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { selector, ports: [{ name: "tcp-ssh", port: sinkPort }], ...spec },
  } as KubeObject;
}

/** The route by name to such a Service, as a DevContainer has it. */
export function sinkRoute(namespace: string, name: string, domain: string, gateway: string): KubeObject {
  const ref = { name: gateway, namespace: gateway, domain, plainPort: 80 };
  const plan = planOf({ name, namespace, access: { gateway: ref }, ssh: { port: sinkPort } });
  return hostRoute(plan, ref) as KubeObject;
}
