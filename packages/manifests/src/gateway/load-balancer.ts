import { type LoadBalancerParsed, layer4LoadBalancer, tcpPort } from "../common/load-balancer.ts";
import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The gateway's own LoadBalancer: layer 4, for SSH alone, so bulk copies disturb no other traffic. */
export function gatewayLoadBalancer(
  plan: SshGatewayPlan,
  loadBalancer: LoadBalancerParsed,
): Manifest<"Service"> {
  return layer4LoadBalancer({
    ...plan,
    loadBalancer,
    ports: plan.listeners.map(({ name, port }) => tcpPort(name, port)),
  });
}
