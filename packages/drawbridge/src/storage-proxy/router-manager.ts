/** The one HTTP listener: its limits, how a path becomes the address of a storage, and what the proxy itself answers. */

import { routerTargetLua } from "../generated/programs.ts";
import { envoyExtension, envoyHttp, envoyReply, envoyStatusIs } from "../istio/envoy.ts";
import { filled } from "../kit/program.ts";
import { pages } from "./pages.ts";
import type { KnownStorageProxyPlan } from "./plan.ts";
import { fileServerPort, fileServerSuffix } from "./ref.ts";
import { visitorFilter, visitorMetadata } from "./visitor-filter.ts";

/** What the visitor filter noted of a request. */
const fact = (key: string) => `%DYNAMIC_METADATA(${visitorMetadata}:${key})%`;

export function routerManager(plan: KnownStorageProxyPlan) {
  return envoyHttp(
    {
      stat_prefix: "storage",
      // One reading of a path: what is routed here is what the storage sees.
      normalize_path: true,
      merge_slashes: true,
      path_with_escaped_slashes_action: "REJECT_REQUEST",
      // A client that dribbles its headers is cut; a body may take as long as it moves.
      request_headers_timeout: "10s",
      stream_idle_timeout: "300s",
      common_http_protocol_options: {
        idle_timeout: "300s",
        headers_with_underscores_action: "REJECT_REQUEST",
      },
      max_request_headers_kb: 60,
      // What the log calls a request is told to its client, and to the storage's own log.
      always_set_request_id_in_response: true,
      use_remote_address: true,
      access_log: [accessLog],
      local_reply_config: { mappers: replies },
      route_config: {
        virtual_hosts: [
          {
            name: "storages",
            domains: plan.dnsName === undefined ? ["*"] : [plan.dnsName, `${plan.dnsName}:*`],
            routes: [{ match: { prefix: "/" }, route: { cluster: "storages", timeout: "0s" } }],
          },
        ],
      },
    },
    [visitorFilter, findStorageFilter, resolveStorageFilter],
  );
}

/** One JSON line for each request. The user is who the client says it is; the status says whether that was so. */
const accessLog = envoyExtension("stdout", "extensions.access_loggers.stream.v3.StdoutAccessLog", {
  log_format: {
    json_format: {
      time: "%START_TIME%",
      // The same in the storage's own line.
      request: "%REQ(X-REQUEST-ID)%",
      client: "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%",
      user: fact("user"),
      method: "%REQ(X-DRAWBRIDGE-METHOD?:METHOD)%",
      // Without the query, which may hold a secret.
      path: "%PATH(NQ:PATH)%",
      to: fact("to"),
      status: "%RESPONSE_CODE%",
      reason: "%RESPONSE_CODE_DETAILS%",
      sent: "%BYTES_SENT%",
      received: "%BYTES_RECEIVED%",
      ms: "%DURATION%",
    },
  },
});

/** Pages in place of Envoy's own. */
const replies = [
  // No such Service in the cluster's DNS, or a host name that is not the proxy's.
  envoyReply({ response_flag_filter: { flags: ["DF", "NR"] } }, 404, pages.unknown),
  envoyReply(envoyStatusIs(503), 503, pages.notReady),
  envoyReply(envoyStatusIs(431), 431, pages.tooLarge),
];

const findStorage = filled(routerTargetLua, { SUFFIX: fileServerSuffix, PORT: fileServerPort });

const findStorageFilter = envoyExtension("find_storage", "extensions.filters.http.lua.v3.Lua", {
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
const resolveStorageFilter = envoyExtension(
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
