import type { Manifest } from "../common/manifest.ts";
import { text } from "../common/placed.ts";
import type { FrpServerConnectTls, FrpServerPlan } from "./plan.ts";

/** From the gateway's listener on to the CONNECT port: bytes, since frps alone knows the containers' names. */
export function connectTlsRoute(
  plan: FrpServerPlan,
  connectTls: FrpServerConnectTls,
): Manifest<"VirtualService"> {
  const { dnsName, port, gateway } = connectTls;
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: plan.names.connect, namespace: plan.namespace, labels: plan.labels },
    spec: {
      hosts: [dnsName],
      gateways: [text`${gateway.namespace}/${plan.names.connect}`],
      exportTo: [gateway.namespace],
      tcp: [
        {
          match: [{ port }],
          route: [{ destination: { host: plan.serverAddr, port: { number: plan.connectPort } } }],
        },
      ],
    },
  };
}
