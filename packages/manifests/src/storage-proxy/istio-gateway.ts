import { compact, type Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** The listener. It takes routes from every namespace, so that a new storage changes no listener. */
export function storageGateway(plan: StorageProxyPlan): Manifest<"Gateway"> {
  const { tls } = plan;
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      selector: plan.selector,
      servers: [
        compact({
          port: { number: plan.port, name: plan.scheme, protocol: tls === undefined ? "HTTP" : "HTTPS" },
          hosts: [`*/${plan.dnsName}`],
          tls: tls === undefined ? undefined : { mode: "SIMPLE", credentialName: tls.secretName },
        }),
      ],
    },
  };
}
