import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The identity under which istiod hands the gateway its certificate and configuration. */
export function gatewayServiceAccount(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
  };
}
