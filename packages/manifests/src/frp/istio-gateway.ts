import type { Manifest } from "../common/manifest.ts";
import { text } from "../common/placed.ts";
import type { FrpServerConnectTls, FrpServerPlan } from "./plan.ts";

/**
 * The listener that ends TLS before the CONNECT port, on a gateway that the cluster has. It has a name of its own
 * (SNI), so it may share the gateway's HTTPS port with web sites.
 */
export function connectTlsGateway(plan: FrpServerPlan, connectTls: FrpServerConnectTls): Manifest<"Gateway"> {
  const { dnsName, port, secretName, gateway } = connectTls;
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name: plan.names.connect, namespace: gateway.namespace, labels: plan.labels },
    spec: {
      selector: gateway.selector,
      servers: [
        {
          port: { number: port, name: `tls-${plan.names.connect}`, protocol: "TLS" },
          // Routes of other namespaces cannot attach to it.
          hosts: [text`${plan.namespace}/${dnsName}`],
          tls: { mode: "SIMPLE", credentialName: secretName, minProtocolVersion: "TLSV1_2" },
        },
      ],
    },
  };
}
