/** The proxy of mode `istio`: a gateway for files, with the filter, limits, log and pages of the standalone one. */
import type { AdmissionPolicy } from "../common/admission.ts";
import { restrictedPod } from "../common/security.ts";
import { deployment } from "../common/workload.ts";
import { beforeAll, onEveryManager, proxyFilter } from "../istio/envoy.ts";
import { foreignGatewayPolicies, type OwnGateway } from "../istio/foreign-gateways.ts";
import { proxyPod, proxyUser } from "../istio/proxy.ts";
import { otherPathsRoute, storageRoutesPolicy } from "../istio/storage-route.ts";
import { pages } from "./pages.ts";
import type { KnownStorageProxyPlan, StorageProxyPlan } from "./plan.ts";
import { accessorPort } from "./ref.ts";
import { accessLog, managerLimits, managerReplies } from "./router-manager.ts";
import { visitorFilter } from "./visitor-filter.ts";

export function storageGatewayDeployment(plan: StorageProxyPlan) {
  const proxy = proxyPod(plan, {
    listeners: [{ name: plan.scheme, port: plan.port }],
    // The drain, and time to end after it.
    terminationGracePeriodSeconds: plan.drainSeconds + 10,
    securityContext: restrictedPod(proxyUser, proxyUser),
  });
  return deployment({ ...plan, ...proxy });
}

/** It patches the listener, where each change ends connections: so it holds nothing of any storage, and stays as it is. */
export const gatewaySettings = (plan: StorageProxyPlan) =>
  proxyFilter({ ...plan, name: `${plan.name}-settings` }, [
    onEveryManager({
      ...managerLimits,
      access_log: [accessLog],
      local_reply_config: { mappers: managerReplies },
    }),
    // The first to see a request is the last to see its answer: no route's own headers come after it.
    beforeAll(visitorFilter),
  ]);

export const unknownStorageRoute = (plan: StorageProxyPlan) => otherPathsRoute(plan, pages.unknown);

/** What may stand beside the gateway: a namespace's routes to its own storages, and no Gateway with its pods. */
export function storageProxyPolicies(plan: KnownStorageProxyPlan & OwnGateway): AdmissionPolicy[] {
  return [
    storageRoutesPolicy({ ...plan, targets: [accessorPort, pages.notReady] }),
    ...foreignGatewayPolicies(plan),
  ];
}
