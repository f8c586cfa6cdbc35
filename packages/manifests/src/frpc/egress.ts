import { selectorLabels } from "../common/labels.ts";
import { podsOf, tcp } from "../common/network-policy.ts";
import { frpsPorts } from "../frp/plan.ts";
import type { FrpcPlan } from "./plan.ts";

/**
 * What a container must reach for frpc: the pods of the FrpServer. An frps elsewhere is reached as the internet
 * is, or by `egress.allow` where it has a private address.
 */
export function frpcEgress(frpc: FrpcPlan | undefined) {
  if (frpc?.authorizer === undefined) return [];
  const { namespace, serviceAccountName } = frpc.authorizer;
  // The service account is named after the server.
  const server = podsOf(namespace, selectorLabels("frp-server", serviceAccountName));
  return [{ to: [server], ports: tcp(frpsPorts.server) }];
}
