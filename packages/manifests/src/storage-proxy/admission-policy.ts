/** What may stand beside the proxy's gateway: a namespace's routes to its own storages, and no Gateway with its pods. */
import type { AdmissionPolicy } from "../common/admission.ts";
import { foreignGatewayPolicies, type OwnGateway } from "../istio/foreign-gateways.ts";
import { storageRoutesPolicy } from "../istio/storage-route.ts";
import { accessorPort } from "./accessors.ts";
import { pages } from "./pages.ts";
import type { KnownStorageProxyPlan } from "./plan.ts";

/** Every policy of one proxy of mode `istio`. */
export function storageProxyPolicies(plan: KnownStorageProxyPlan & OwnGateway): AdmissionPolicy[] {
  return [
    storageRoutesPolicy({ ...plan, targets: [accessorPort, pages.notReady] }),
    ...foreignGatewayPolicies(plan),
  ];
}
