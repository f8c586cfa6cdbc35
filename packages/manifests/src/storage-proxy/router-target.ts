/** How a path becomes the address of a storage. */

import { filled } from "../common/program.ts";
import { envoyExtension } from "../istio/envoy.ts";
import { routerTargetLua } from "../made/programs.ts";
import { accessorPort, accessorSuffix } from "./accessors.ts";

const findStorage = filled(routerTargetLua, { SUFFIX: accessorSuffix, PORT: accessorPort });

export const findStorageFilter = envoyExtension("find_storage", "extensions.filters.http.lua.v3.Lua", {
  default_source_code: { inline_string: findStorage },
  // The route was chosen by the client's host name, which this filter replaces.
  clear_route_cache: false,
});

const dnsCache = {
  name: "storages",
  dns_lookup_family: "V4_PREFERRED",
  dns_refresh_rate: "5s",
  // An unknown storage is asked for again soon: it may have come into being.
  dns_failure_refresh_rate: { base_interval: "1s", max_interval: "2s" },
  host_ttl: "30s",
  max_hosts: 10000,
};

/** Resolves the storage's Service before the request goes on. */
export const resolveStorageFilter = envoyExtension(
  "resolve_storage",
  "extensions.filters.http.dynamic_forward_proxy.v3.FilterConfig",
  { dns_cache_config: dnsCache },
);

export const storagesCluster = {
  name: "storages",
  connect_timeout: "2s",
  lb_policy: "CLUSTER_PROVIDED",
  // Envoy's filter knows its clusters by this name.
  cluster_type: envoyExtension(
    "envoy.clusters.dynamic_forward_proxy",
    "extensions.clusters.dynamic_forward_proxy.v3.ClusterConfig",
    { dns_cache_config: dnsCache },
  ),
  // A download holds its connection for long; Envoy's default of 1024 would be the limit of all storages.
  circuit_breakers: {
    thresholds: [{ max_connections: 10000, max_requests: 10000, max_pending_requests: 10000 }],
  },
};
