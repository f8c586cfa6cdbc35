/** Seed 002's own design, the baseline that ours is measured against: one inline EnvoyFilter per container. */

/** A filter that merges settings into the connection managers of a gateway. */
export function connectionManagerFilter(
  { name, namespace, selector }: { name: string; namespace: string; selector: Record<string, string> },
  settings: object,
  portNumber?: number,
) {
  const filterChain = { filter: { name: "envoy.filters.network.http_connection_manager" } };
  const listener = portNumber === undefined ? { filterChain } : { portNumber, filterChain };
  const type =
    "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
  return {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "EnvoyFilter",
    metadata: { name, namespace },
    spec: {
      workloadSelector: { labels: selector },
      configPatches: [
        {
          applyTo: "NETWORK_FILTER",
          match: { context: "GATEWAY", listener },
          patch: { operation: "MERGE", value: { typed_config: { "@type": type, ...settings } } },
        },
      ],
    },
  };
}

/** The filter that merges a route for one container into the listener of port 80. */
export function inlineEnvoyFilter(
  name: string,
  namespace: string,
  selector: Record<string, string>,
  host: string,
  port: number,
) {
  const route = {
    match: { connect_matcher: {} },
    route: {
      cluster: `outbound|${port}||${host}`,
      upgrade_configs: [{ connect_config: {}, enabled: true, upgrade_type: "CONNECT" }],
    },
  };
  const virtualHost = { name: `${name}-vh`, domains: [`${host}:${port}`], routes: [route] };
  const routes = { route_config: { name: "local_route", virtual_hosts: [virtualHost] } };
  return connectionManagerFilter({ name, namespace, selector }, routes, 80);
}

/**
 * A route that takes no request, on a gateway in its own namespace: istiod may send a gateway only the Services that its
 * routes name (PILOT_FILTER_GATEWAY_CLUSTER_CONFIG), and it does not look for them in filters.
 */
export function namingRoute(name: string, gateway: string, host: string, port: number) {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name, namespace: gateway },
    spec: {
      hosts: [`${name}.invalid`],
      gateways: [`${gateway}/${gateway}`],
      http: [{ route: [{ destination: { host, port: { number: port } } }] }],
    },
  };
}
