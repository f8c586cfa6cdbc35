import { admissionObjects } from "../common/admission-objects.ts";
import { allAfter, declared, type Objects } from "../common/objects.ts";
import { serviceAccount } from "../common/own-namespace.ts";
import { withValues } from "../common/placed.ts";
import { disruptionBudget } from "../common/workload.ts";
import { ownNamespace } from "../istio/data-plane.ts";
import { storageListener } from "../istio/listeners.ts";
import {
  gatewaySettings,
  storageGatewayDeployment,
  storageProxyPolicies,
  unknownStorageRoute,
} from "./gateway.ts";
import { proxyLoadBalancer, proxyNetworkPolicy } from "./network.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { routerConfigMap } from "./router-config.ts";
import { routerDeployment } from "./router-deployment.ts";

/** A proxy's objects. */
export function storageProxyObjects(plan: StorageProxyPlan) {
  const inNamespace = { after: ["namespace"] };
  return {
    namespace: plan.createNamespace && declared(ownNamespace(plan)),
    egress: declared(proxyNetworkPolicy(plan), inNamespace),
    ...(plan.mode === "istio" ? gatewayObjects(plan) : routerObjects(plan)),
    // One pod at a time, each after its drain window.
    disruption: declared(disruptionBudget(plan, 1), inNamespace),
    "load-balancer": declared(proxyLoadBalancer(plan), inNamespace),
  };
}

export type StorageProxyObjects = ReturnType<typeof storageProxyObjects>;

/** The stock Envoy of `standalone`. */
const routerObjects = (plan: StorageProxyPlan): Objects =>
  allAfter(["namespace", "egress"], {
    config: declared(routerConfigMap(plan)),
    proxy: declared(routerDeployment(plan), { after: ["config"] }),
  });

/** The gateway of `istio`, and who may add routes to it or take its pods. */
function gatewayObjects(plan: StorageProxyPlan): Objects {
  const own = allAfter(["namespace", "egress"], {
    "service-account": declared(serviceAccount(plan.name, plan)),
    settings: declared(gatewaySettings(plan)),
    listener: declared(storageListener(plan)),
    unknown: declared(unknownStorageRoute(plan)),
  });
  const policies = admissionObjects(
    [plan.namespace, ...Object.values(plan.podLabels)],
    (namespace = "", ...known) => {
      const owner = { ...plan, namespace, podLabels: withValues(plan.podLabels, known) };
      return { owner, policies: storageProxyPolicies(owner) };
    },
  );
  const after = ["namespace", "egress", ...Object.keys(own), ...Object.keys(policies)];
  return { ...own, ...policies, proxy: declared(storageGatewayDeployment(plan), { after }) };
}
