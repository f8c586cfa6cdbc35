/**
 * The gateway's Envoy, which obeys: the authorizer decides, and says the one address that is dialled. Nothing in here
 * belongs to a container, so no list that changes disturbs a connection.
 */
import { decision, egressPorts, refusalHeader } from "../host/egress/contract.ts";
import { envoyExtension, envoyHealth, envoyHttp, envoySocket, envoyType } from "../istio/envoy.ts";

export const socketFolder = "/run/drawbridge";
export const socketPath = `${socketFolder}/authorizer.sock`;

/** Answers whether the proxy runs. */
export const healthPort = 15021;

// The defaults allow 1,024 of each, and an open tunnel is a request.
const most = 20_000;
const many = {
  thresholds: [{ max_connections: most, max_requests: most, max_pending_requests: most }],
};

const authorizer = {
  name: "authorizer",
  type: "STATIC",
  connect_timeout: "1s",
  typed_extension_protocol_options: {
    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
      "@type": envoyType("extensions.upstreams.http.v3.HttpProtocolOptions"),
      explicit_http_config: { http2_protocol_options: {} },
    },
  },
  circuit_breakers: many,
  load_assignment: {
    cluster_name: "authorizer",
    endpoints: [{ lb_endpoints: [{ endpoint: { address: { pipe: { path: socketPath } } } }] }],
  },
};

/**
 * A stream to the authorizer for as long as a request lasts: first it decides, before anything is dialled, and later it can
 * end a tunnel. The stream carries no byte of it. If it breaks, what is open goes on, so that a restart of the authorizer
 * cuts nobody off; what was not decided has no route.
 */
const authorization = envoyExtension(
  "envoy.filters.http.ext_proc",
  "extensions.filters.http.ext_proc.v3.ExternalProcessor",
  {
    grpc_service: { envoy_grpc: { cluster_name: authorizer.name }, timeout: "0s" },
    failure_mode_allow: true,
    message_timeout: "8s",
    request_attributes: ["source.address"],
    forward_rules: {
      allowed_headers: {
        patterns: [":method", ":authority", ":scheme", "proxy-authorization"].map((exact) => ({ exact })),
      },
    },
    metadata_options: { receiving_namespaces: { untyped: [decision.namespace] } },
    route_cache_action: "CLEAR",
    processing_mode: {
      request_header_mode: "SEND",
      response_header_mode: "SKIP",
      request_body_mode: "NONE",
      response_body_mode: "NONE",
      request_trailer_mode: "SKIP",
      // This is what keeps the stream open.
      response_trailer_mode: "SEND",
    },
  },
);

/** What the authorizer let through, which has an address. */
const isAllowed = {
  dynamic_metadata: [
    {
      filter: decision.namespace,
      path: [{ key: decision.destination }],
      value: { present_match: true },
    },
  ],
};

const undecided = "the authorizer cannot be asked now; try again";

/** The address that was looked at, and no other. */
const destination = envoyExtension(
  "envoy.filters.http.set_filter_state",
  "extensions.filters.http.set_filter_state.v3.Config",
  {
    on_request_headers: [
      {
        object_key: "envoy.network.transport_socket.original_dst_address",
        format_string: {
          text_format_source: {
            inline_string: `%DYNAMIC_METADATA(${decision.namespace}:${decision.destination})%`,
          },
          // Without a decision there is nothing to dial.
          omit_empty_values: true,
        },
        skip_if_empty: true,
      },
    ],
  },
);

const manager = envoyHttp(
  {
    stat_prefix: "egress",
    codec_type: "HTTP1",
    // Python's http.client sends CONNECT so.
    http_protocol_options: { accept_http_10: true },
    use_remote_address: true,
    skip_xff_append: true,
    generate_request_id: false,
    server_header_transformation: "PASS_THROUGH",
    request_headers_timeout: "10s",
    // A tunnel may be silent for as long as it likes, and ends within hours if its lease was lost.
    stream_idle_timeout: "0s",
    common_http_protocol_options: { idle_timeout: "300s", max_stream_duration: "43200s" },
    delayed_close_timeout: "0.5s",
    upgrade_configs: [{ upgrade_type: "CONNECT" }, { upgrade_type: "websocket" }],
    route_config: {
      request_headers_to_remove: [
        "proxy-authorization",
        "proxy-connection",
        "x-forwarded-for",
        "x-forwarded-proto",
        "x-envoy-internal",
        "x-envoy-external-address",
        "x-request-id",
      ],
      virtual_hosts: [
        {
          name: "all",
          domains: ["*"],
          routes: [
            {
              match: { connect_matcher: {}, ...isAllowed },
              route: {
                cluster: "destinations",
                timeout: "0s",
                upgrade_configs: [{ upgrade_type: "CONNECT", connect_config: {} }],
              },
            },
            {
              match: { prefix: "/", ...isAllowed },
              route: { cluster: "destinations", timeout: "0s" },
            },
            ...[{ connect_matcher: {} }, { prefix: "/" }].map((match) => ({
              match,
              direct_response: { status: 503, body: { inline_string: `drawbridge: ${undecided}\n` } },
              response_headers_to_add: [{ header: { key: refusalHeader, value: undecided } }],
            })),
          ],
        },
      ],
    },
  },
  [authorization, destination],
);

const listener = (name: string, port: number, filter: object, more: object = {}) => ({
  name,
  address: envoySocket("0.0.0.0", port),
  filter_chains: [{ filters: [filter] }],
  ...more,
});

/** Envoy reads JSON as well as YAML. There is no admin listener: it would show what is in memory. */
export const proxyConfig = JSON.stringify(
  {
    node: { id: "egress", cluster: "egress" },
    overload_manager: {
      resource_monitors: [
        envoyExtension(
          "envoy.resource_monitors.global_downstream_max_connections",
          "extensions.resource_monitors.downstream_connections.v3.DownstreamConnectionsConfig",
          { max_active_downstream_connections: 10_000 },
        ),
      ],
    },
    // A request's end is told to the authorizer. By resets, as is the default, a thousand a second end their connection.
    layered_runtime: {
      layers: [
        {
          name: "fixed",
          static_layer: {
            "envoy.reloadable_features.ext_proc_graceful_grpc_close": true,
            "envoy.filters.http.ext_proc.remote_close_timeout_milliseconds": 10_000,
          },
        },
      ],
    },
    static_resources: {
      listeners: [
        listener("egress", egressPorts.proxy, manager, { per_connection_buffer_limit_bytes: 65_536 }),
        listener("health", healthPort, envoyHealth),
      ],
      clusters: [
        authorizer,
        {
          name: "destinations",
          type: "ORIGINAL_DST",
          connect_timeout: "5s",
          lb_policy: "CLUSTER_PROVIDED",
          cleanup_interval: "30s",
          circuit_breakers: many,
        },
      ],
    },
  },
  null,
  2,
);
