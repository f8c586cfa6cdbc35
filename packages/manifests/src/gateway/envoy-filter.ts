import type { Manifest } from "../common/manifest.ts";
import { connectRouteName, type SshGatewayPlan } from "./plan.ts";

/**
 * The gateway's one EnvoyFilter, written once and never per container: it turns every route named
 * `ssh-connect` into a CONNECT route. It patches routes only, so it never changes a listener.
 */
export function connectEnvoyFilter(plan: SshGatewayPlan): Manifest {
  return {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "EnvoyFilter",
    metadata: { name: `${plan.name}-connect`, namespace: plan.namespace, labels: plan.labels },
    spec: {
      workloadSelector: { labels: plan.selector },
      configPatches: [
        {
          applyTo: "HTTP_ROUTE",
          match: { context: "GATEWAY", routeConfiguration: { vhost: { route: { name: connectRouteName } } } },
          patch: {
            operation: "MERGE",
            value: {
              // A oneof: replaces the VirtualService's prefix "/", which never matches CONNECT.
              match: { connect_matcher: {} },
              route: {
                // A quiet session must not end: these beat any time-out of the connection manager.
                idle_timeout: "0s",
                max_stream_duration: { max_stream_duration: "0s" },
                upgrade_configs: [{ upgrade_type: "CONNECT", enabled: true, connect_config: {} }],
              },
            },
          },
        },
      ],
    },
  };
}
