import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { managerLimits, managerReplies } from "./router-manager.ts";

/**
 * The gateway's one EnvoyFilter, written once: the same limits and pages as the standalone proxy has. It
 * patches the listener, which is why it holds nothing of any storage.
 */
export function gatewaySettings(plan: StorageProxyPlan): Manifest {
  return {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "EnvoyFilter",
    metadata: { name: `${plan.name}-settings`, namespace: plan.namespace, labels: plan.labels },
    spec: {
      workloadSelector: { labels: plan.selector },
      configPatches: [
        {
          applyTo: "NETWORK_FILTER",
          match: {
            context: "GATEWAY",
            listener: { filterChain: { filter: { name: "envoy.filters.network.http_connection_manager" } } },
          },
          patch: {
            operation: "MERGE",
            value: {
              typed_config: {
                "@type":
                  "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
                ...managerLimits,
                local_reply_config: { mappers: managerReplies },
              },
            },
          },
        },
      ],
    },
  };
}
