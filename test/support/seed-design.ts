/** Seed 002's own design, the baseline that ours is measured against: one inline EnvoyFilter per container. */

/** The filter that merges a route for one container into the listener of port 80. */
export function inlineEnvoyFilter(
  name: string,
  namespace: string,
  selector: Record<string, string>,
  host: string,
  port: number,
) {
  return {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "EnvoyFilter",
    metadata: { name, namespace },
    spec: {
      workloadSelector: { labels: selector },
      configPatches: [
        {
          applyTo: "NETWORK_FILTER",
          match: {
            context: "GATEWAY",
            listener: {
              portNumber: 80,
              filterChain: { filter: { name: "envoy.filters.network.http_connection_manager" } },
            },
          },
          patch: {
            operation: "MERGE",
            value: {
              typed_config: {
                "@type":
                  "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
                route_config: {
                  name: "local_route",
                  virtual_hosts: [
                    {
                      name: `${name}-vh`,
                      domains: [`${host}:${port}`],
                      routes: [
                        {
                          match: { connect_matcher: {} },
                          route: {
                            cluster: `outbound|${port}||${host}`,
                            upgrade_configs: [{ connect_config: {}, enabled: true, upgrade_type: "CONNECT" }],
                          },
                        },
                      ],
                    },
                  ],
                },
              },
            },
          },
        },
      ],
    },
  };
}
