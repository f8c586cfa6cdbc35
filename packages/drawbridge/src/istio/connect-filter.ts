/** The EnvoyFilter of an SSH gateway. */

import { type Input, whenSettled } from "../kit/input.ts";
import type { EnvoyPatch } from "../kubernetes/kinds.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { type ClientLimits, type ClientLimitsLater, clientLimits, clientSlowdown } from "./client-limits.ts";
import {
  beforeAll,
  envoyExtension,
  envoyType,
  gatewayHttp,
  merged,
  onEveryManager,
  proxyFilter,
} from "./envoy.ts";
import type { GatewayOwner } from "./listeners.ts";
import { connectRouteName } from "./ssh-route.ts";

interface ConnectGateway extends GatewayOwner {
  /** Set if the gateway is another's. */
  readonly existing?: object | undefined;
  /** Set if its containers sleep and wake. */
  readonly idle?: object | undefined;
  readonly audit: Input<boolean>;
  readonly rejectEarlyConnectData: Input<boolean>;
  readonly connectionLimits: ClientLimitsLater | undefined;
}

/**
 * The gateway's one EnvoyFilter, written once and never per container. Its first patch turns every route
 * named `ssh-connect` into a CONNECT route; the others belong to a gateway of our own and are the same for
 * its whole life, so no container ever changes a listener.
 */
export function connectFilter(gateway: ConnectGateway): Manifest<"EnvoyFilter"> {
  const { audit, rejectEarlyConnectData, connectionLimits } = gateway;
  const patches = whenSettled({ audit, rejectEarlyConnectData, connectionLimits }, (known) => [
    connectRoutes,
    ...(gateway.idle === undefined ? [] : [otherAddress]),
    // On another's gateway we leave the listeners, other clusters and logs alone.
    ...(gateway.existing === undefined
      ? [
          clientKeepalive,
          containerKeepalive,
          ...(known.audit ? [auditLog] : []),
          ...(known.rejectEarlyConnectData ? [noEarlyData] : []),
          ...(known.connectionLimits === undefined ? [] : limited(known.connectionLimits)),
          ...unusedFilters,
          fewHeaders,
          noSilentClients,
        ]
      : []),
  ]);
  return proxyFilter({ ...gateway, name: `${gateway.name}-connect` }, patches);
}

const onConnectRoutes = (value: object) =>
  merged(
    "HTTP_ROUTE",
    { context: "GATEWAY", routeConfiguration: { vhost: { route: { name: connectRouteName } } } },
    value,
  );

const connectRoutes = onConnectRoutes({
  // A oneof: replaces the VirtualService's prefix "/", which never matches CONNECT.
  match: { connect_matcher: {} },
  route: {
    // A quiet session must not end: these beat any time-out of the connection manager.
    idle_timeout: "0s",
    max_stream_duration: { max_stream_duration: "0s" },
    upgrade_configs: [{ upgrade_type: "CONNECT", enabled: true, connect_config: {} }],
  },
});

/**
 * A pod that wakes has an address long before its sshd listens, and the activator's address is still beside it. If the
 * pod's port refuses a connection, it is tried at the activator, which waits; nothing of its tunnel was sent by then.
 */
const otherAddress = onConnectRoutes({
  route: {
    retry_policy: {
      retry_on: "connect-failure",
      num_retries: 2,
      retry_host_predicate: [
        envoyExtension(
          "envoy.retry_host_predicates.previous_hosts",
          "extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate",
        ),
      ],
      // The address with fewer tunnels is preferred, so with many at the activator three of four draws are the pod's.
      host_selection_retry_max_attempts: 64,
    },
  },
});

// Finds dead peers and keeps NATs and load balancers from forgetting a quiet session.
const keepalive = { keepalive_time: 60, keepalive_interval: 30, keepalive_probes: 4 };
const everywhere = { context: "GATEWAY" } as const;
const clientKeepalive = merged("LISTENER", everywhere, { tcp_keepalive: keepalive });
const containerKeepalive = merged("CLUSTER", everywhere, {
  upstream_connection_options: { tcp_keepalive: keepalive },
});

/** One JSON line when a CONNECT arrives, when its tunnel stands, and when it ends. */
const auditLog = onEveryManager({
  access_log_options: {
    flush_access_log_on_new_request: true,
    flush_log_on_tunnel_successfully_established: true,
  },
  access_log: [
    envoyExtension("envoy.access_loggers.file", "extensions.access_loggers.file.v3.FileAccessLog", {
      path: "/dev/stdout",
      log_format: {
        json_format: {
          event: "%ACCESS_LOG_TYPE%",
          time: "%START_TIME%",
          client: "%DOWNSTREAM_REMOTE_ADDRESS%",
          identity: "%DOWNSTREAM_PEER_URI_SAN%",
          method: "%REQ(:METHOD)%",
          authority: "%REQ(:AUTHORITY)%",
          status: "%RESPONSE_CODE%",
          flags: "%RESPONSE_FLAGS%",
          upstream: "%UPSTREAM_HOST%",
          // What sshd logs as `from <address> port <port>`: joins this line with the login.
          upstreamLocal: "%UPSTREAM_LOCAL_ADDRESS%",
          bytesIn: "%BYTES_RECEIVED%",
          bytesOut: "%BYTES_SENT%",
          durationMs: "%DURATION%",
          connection: "%CONNECTION_ID%",
        },
      },
    }),
  ],
});

/** What a client sends before the tunnel stands is refused (Istio 1.30 or newer, CVE-2025-64763). */
const noEarlyData = merged("HTTP_FILTER", gatewayHttp("router"), {
  typed_config: {
    "@type": envoyType("extensions.filters.http.router.v3.Router"),
    reject_connect_request_early_data: true,
  },
});

/**
 * Filters in front of all others, the same for the gateway's whole life. Each goes in front of those written so far, so the
 * limit is the last here and the first that a request meets: a client beyond it costs next to nothing.
 */
const limited = (limits: ClientLimits) =>
  [...clientSlowdown(limits).reverse(), clientLimits(limits)].map(beforeAll);

// Envoy keeps every filter and header of a request as long as its tunnel stands: about 0.4 KiB each. A CONNECT has no
// use for these, and nobody behind the gateway reads headers.
const unusedFilters = ["grpc_stats", "fault", "cors"].map(
  (name): EnvoyPatch => ({
    applyTo: "HTTP_FILTER",
    match: gatewayHttp(name),
    patch: { operation: "REMOVE" },
  }),
);

const fewHeaders = onEveryManager({
  generate_request_id: false,
  skip_xff_append: true,
  server_header_transformation: "PASS_THROUGH",
});

// Ends connections that ask for nothing, which no limit of requests sees. A tunnel is a request that has not ended.
const noSilentClients = onEveryManager({
  request_headers_timeout: "10s",
  common_http_protocol_options: { idle_timeout: "30s" },
});
