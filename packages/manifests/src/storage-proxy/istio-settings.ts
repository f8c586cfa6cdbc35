import type { EnvoyPatch } from "../common/custom-kinds.ts";
import { gatewayHttp, onEveryManager } from "../common/envoy.ts";
import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { accessLog, managerLimits, managerReplies } from "./router-manager.ts";
import { visitorFilter } from "./visitor-filter.ts";

/** Its patches by what each is for: who judges a filter knows ours by them. */
export const storageProxyPatches = {
  manager: onEveryManager({
    ...managerLimits,
    access_log: [accessLog],
    local_reply_config: { mappers: managerReplies },
  }),
  // The first to see a request is the last to see its answer: no route's own headers come after it.
  visitorFilter: {
    applyTo: "HTTP_FILTER",
    match: gatewayHttp(),
    patch: { operation: "INSERT_FIRST", value: visitorFilter },
  },
} satisfies Record<string, EnvoyPatch>;

/**
 * The gateway's one EnvoyFilter, written once: the same visitor filter, limits, log and pages as the standalone proxy has. It
 * patches the listener, which is why it holds nothing of any storage.
 */
export function gatewaySettings(plan: StorageProxyPlan): Manifest<"EnvoyFilter"> {
  return {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "EnvoyFilter",
    metadata: { name: `${plan.name}-settings`, namespace: plan.namespace, labels: plan.labels },
    spec: {
      workloadSelector: { labels: plan.selector },
      configPatches: Object.values(storageProxyPatches),
    },
  };
}
