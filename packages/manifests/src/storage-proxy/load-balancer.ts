import { layer4LoadBalancer } from "../common/load-balancer.ts";
import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** The one address of all storages, apart from the SSH gateway's so that neither disturbs the other. */
export function proxyLoadBalancer(plan: StorageProxyPlan): Manifest<"Service"> {
  return layer4LoadBalancer({
    ...plan,
    ports: [{ name: plan.scheme, port: plan.port, targetPort: plan.port, protocol: "TCP" }],
  });
}
