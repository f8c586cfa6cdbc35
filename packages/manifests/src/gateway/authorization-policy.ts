import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/**
 * The client identities that may use this gateway at all. It belongs to the gateway, never to a container:
 * changing it changes the listener.
 */
export function identityPolicy(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "security.istio.io/v1",
    kind: "AuthorizationPolicy",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      selector: { matchLabels: plan.selector },
      action: "ALLOW",
      rules: [
        {
          // Istio writes principals without the scheme.
          from: [
            { source: { principals: plan.allow.identities.map((uri) => uri.replace(/^spiffe:\/\//, "")) } },
          ],
          to: [{ operation: { methods: ["CONNECT"] } }],
        },
      ],
    },
  };
}
