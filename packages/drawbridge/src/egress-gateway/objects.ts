import { namespaceManifest } from "../istio/data-plane.ts";
import { autoscaler } from "../kubernetes/autoscaling.ts";
import { configMap } from "../kubernetes/data.ts";
import { allAfter, declared } from "../kubernetes/objects.ts";
import { serviceAccount } from "../kubernetes/own-namespace.ts";
import { disruptionBudget } from "../kubernetes/workload.ts";
import { egressDeployment } from "./deployment.ts";
import { egressNetworkPolicy, egressService } from "./network.ts";
import type { EgressGatewayPlan } from "./plan.ts";
import { proxyConfig } from "./proxy-config.ts";

/** A gateway's objects. It holds no list: who may reach what stands beside each container. */
export function egressGatewayObjects(plan: EgressGatewayPlan) {
  return {
    namespace: plan.createNamespace && declared(namespaceManifest(plan)),
    ...allAfter(["namespace"], {
      "service-account": declared(serviceAccount(plan.name, plan, { token: false })),
      config: declared(configMap(plan.name, plan, { "envoy.json": proxyConfig })),
      network: declared(egressNetworkPolicy(plan)),
      service: declared(egressService(plan)),
      disruption: declared(disruptionBudget(plan, 1)),
      autoscaler: plan.autoscaling && declared(autoscaler(plan, plan.autoscaling)),
      proxy: declared(egressDeployment(plan), { after: ["service-account", "config", "network"] }),
    }),
  };
}

export type EgressGatewayObjects = ReturnType<typeof egressGatewayObjects>;
