import { namespaceManifest } from "../istio/data-plane.ts";
import { allAfter, declared } from "../kubernetes/objects.ts";
import { disruptionBudget } from "../kubernetes/workload.ts";
import { proxyLoadBalancer, proxyNetworkPolicy } from "./network.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { routerConfigMap } from "./router-config.ts";
import { routerDeployment } from "./router-deployment.ts";

/** A proxy's objects. */
export function storageProxyObjects(plan: StorageProxyPlan) {
  const inNamespace = { after: ["namespace"] };
  return {
    namespace: plan.createNamespace && declared(namespaceManifest(plan)),
    egress: declared(proxyNetworkPolicy(plan), inNamespace),
    ...allAfter(["namespace", "egress"], {
      config: declared(routerConfigMap(plan)),
      proxy: declared(routerDeployment(plan), { after: ["config"] }),
    }),
    // One pod at a time, each after its drain window.
    disruption: declared(disruptionBudget(plan, 1), inNamespace),
    "load-balancer": declared(proxyLoadBalancer(plan), inNamespace),
  };
}

export type StorageProxyObjects = ReturnType<typeof storageProxyObjects>;
