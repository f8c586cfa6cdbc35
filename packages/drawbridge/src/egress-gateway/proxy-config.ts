/**
 * The gateway's Envoy, which obeys: the authorizer decides, and says the one address that is dialled. Nothing in here
 * belongs to a container, so no list that changes disturbs a connection.
 */
import { authorizerMetadata, egressPorts } from "../host/egress/contract.ts";
import { envoyExtension, envoyHttp, envoySocket, envoyType } from "../istio/envoy.ts";

export const socketFolder = "/run/drawbridge";
export const socketPath = `${socketFolder}/authorizer.sock`;

/** Answers whether the proxy runs. */
export const healthPort = 15021;

/** A cluster of the authorizer's. */
const authorizer = (name: string) => ({
  name,
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
    cluster_name: name,
    endpoints: [{ lb_endpoints: [{ endpoint: { address: { pipe: { path: socketPath } } } }] }],
  },
});

// The defaults allow 1,024 of each, and an open tunnel is a request.
const most = 20_000;
const many = {
  thresholds: [{ max_connections: most, max_requests: most, max_pending_requests: most }],
};

/** Whether a request may pass, before anything is dialled; whoever cannot be asked allows nothing. */
const decision = envoyExtension(authorizerMetadata, "extensions.filters.http.ext_authz.v3.ExtAuthz", {
  transport_api_version: "V3",
  failure_mode_allow: false,
  status_on_error: { code: "ServiceUnavailable" },
  allowed_headers: { patterns: [{ exact: "proxy-authorization" }] },
  grpc_service: { envoy_grpc: { cluster_name: "decisions" }, timeout: "8s" },
});

/**
 * A stream for as long as a tunnel lasts, by which the authorizer can end it. It carries no byte of the tunnel. Its end
 * alone ends nothing, so that a restart of the authorizer cuts nobody off; what is new, the filter before refuses then.
 */
const lease = envoyExtension(
  "envoy.filters.http.ext_proc",
  "extensions.filters.http.ext_proc.v3.ExternalProcessor",
  {
    grpc_service: { envoy_grpc: { cluster_name: "leases" }, timeout: "0s" },
    failure_mode_allow: true,
    message_timeout: "2s",
    metadata_options: { forwarding_namespaces: { untyped: [authorizerMetadata] } },
    forward_rules: { allowed_headers: { patterns: [{ exact: ":method" }] } },
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

/** The address that was looked at, and no other. */
const destination = envoyExtension(
  "envoy.filters.http.set_filter_state",
  "extensions.filters.http.set_filter_state.v3.Config",
  {
    on_request_headers: [
      {
        object_key: "envoy.network.transport_socket.original_dst_address",
        format_string: {
          text_format_source: { inline_string: `%DYNAMIC_METADATA(${authorizerMetadata}:destination)%` },
        },
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
              match: { connect_matcher: {} },
              route: {
                cluster: "destinations",
                timeout: "0s",
                upgrade_configs: [{ upgrade_type: "CONNECT", connect_config: {} }],
              },
            },
            { match: { prefix: "/" }, route: { cluster: "destinations", timeout: "0s" } },
          ],
        },
      ],
    },
  },
  [decision, lease, destination],
);

const health = envoyHttp({
  stat_prefix: "health",
  route_config: {
    virtual_hosts: [
      {
        name: "health",
        domains: ["*"],
        routes: [{ match: { path: "/ready" }, direct_response: { status: 200 } }],
      },
    ],
  },
});

const listener = (name: string, port: number, filter: object, more: object = {}) => ({
  name,
  address: envoySocket("0.0.0.0", port),
  filter_chains: [{ filters: [filter] }],
  ...more,
});

/** Envoy reads JSON as well as YAML. There is no admin listener: whoever reached it could read what is in memory. */
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
    static_resources: {
      listeners: [
        listener("egress", egressPorts.proxy, manager, { per_connection_buffer_limit_bytes: 65_536 }),
        listener("health", healthPort, health),
      ],
      clusters: [
        authorizer("decisions"),
        // Of their own: tunnels that end reset their streams, and many resets end the connection.
        authorizer("leases"),
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
