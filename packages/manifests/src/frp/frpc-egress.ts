import { namespaceNameLabel, selectorLabels } from "../common/labels.ts";
import type { FrpcPlan } from "./frpc-plan.ts";
import { frpsPorts } from "./plan.ts";

/**
 * What a container must reach for frpc: the pods of the FrpServer. An frps elsewhere is reached as the internet
 * is, or by `egress.allow` where it has a private address.
 */
export function frpcEgress(frpc: FrpcPlan | undefined) {
  if (frpc?.authorizer === undefined) return [];
  const { namespace, serviceAccountName } = frpc.authorizer;
  return [
    {
      to: [
        {
          namespaceSelector: { matchLabels: { [namespaceNameLabel]: namespace } },
          // The service account is named after the server.
          podSelector: { matchLabels: selectorLabels("frp-server", serviceAccountName) },
        },
      ],
      ports: [{ port: frpsPorts.server, protocol: "TCP" }],
    },
  ];
}
