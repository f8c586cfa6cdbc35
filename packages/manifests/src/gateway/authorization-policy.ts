import type { Manifest } from "../common/manifest.ts";
import { type Placed, whenKnown } from "../common/placed.ts";
import type { SshGatewayPlan } from "./plan.ts";

/**
 * The client identities that may use this gateway at all. It belongs to the gateway, never to a container:
 * changing it changes the listener.
 */
export function identityPolicy(plan: SshGatewayPlan): Manifest<"AuthorizationPolicy"> {
  return {
    apiVersion: "security.istio.io/v1",
    kind: "AuthorizationPolicy",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      selector: { matchLabels: plan.selector },
      action: "ALLOW",
      // Without a rule nobody is let in; a rule without principals would let everybody in.
      rules: whenKnown(plan.allowIdentities, (uris) => (uris.length === 0 ? [] : [ruleFor(uris)])),
    },
  };
}

const ruleFor = (uris: readonly Placed<string>[]) => ({
  from: [{ source: { principals: uris.map((uri) => whenKnown(uri, withoutScheme)) } }],
  to: [{ operation: { methods: ["CONNECT"] } }],
});

/** Istio writes principals without the scheme. */
const withoutScheme = (uri: string) => uri.replace(/^spiffe:\/\//, "");
