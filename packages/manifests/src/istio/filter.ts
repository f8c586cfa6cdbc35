/** EnvoyFilters: what of a gateway's proxies is set in Envoy's own words. */

import type { EnvoyPatch } from "../common/kinds.ts";
import type { Manifest } from "../common/manifest.ts";
import { envoyType, httpManager } from "./envoy.ts";
import type { GatewayOwner } from "./listeners.ts";

export function proxyFilter(
  { name, namespace, labels, selector }: GatewayOwner,
  configPatches: readonly EnvoyPatch[],
): Manifest<"EnvoyFilter"> {
  return {
    apiVersion: "networking.istio.io/v1alpha3",
    kind: "EnvoyFilter",
    metadata: { name, namespace, labels },
    spec: { workloadSelector: { labels: selector }, configPatches },
  };
}

/** Every place of a gateway that speaks HTTP, or one filter of each. */
export function gatewayHttp(subFilter?: string) {
  const filter = {
    name: "envoy.filters.network.http_connection_manager",
    ...(subFilter === undefined ? {} : { subFilter: { name: `envoy.filters.http.${subFilter}` } }),
  };
  return { context: "GATEWAY" as const, listener: { filterChain: { filter } } };
}

/** Settings merged into each of a gateway's HTTP connection managers. */
export function onEveryManager(settings: object): EnvoyPatch {
  return {
    applyTo: "NETWORK_FILTER",
    match: gatewayHttp(),
    patch: { operation: "MERGE", value: { typed_config: { "@type": envoyType(httpManager), ...settings } } },
  };
}

/** A filter before all others that are there. */
export const beforeAll = (value: object): EnvoyPatch => ({
  applyTo: "HTTP_FILTER",
  match: gatewayHttp(),
  patch: { operation: "INSERT_FIRST", value },
});
