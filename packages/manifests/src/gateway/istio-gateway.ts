import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/**
 * The listeners. They accept names of the domain and of cluster-internal Services from every namespace, so
 * that a new team or container changes no listener: a listener change would cut every open session.
 */
export function istioGateway(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      selector: plan.selector,
      servers: plan.listeners.map((listener) => ({
        port: { number: listener.port, name: `http-${listener.name}`, protocol: "HTTP" },
        hosts: [`*/*.${plan.domain}`, "*/*.svc.cluster.local"],
      })),
    },
  };
}
