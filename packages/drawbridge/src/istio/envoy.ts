/** Envoy's own configuration: the shapes in which it names things, and EnvoyFilters, which set it in a gateway's proxies. */
import type { Input } from "../kit/input.ts";
import type { EnvoyPatch } from "../kubernetes/kinds.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import type { GatewayOwner } from "./listeners.ts";

/** The network filter that speaks HTTP. */
const httpManager = "extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

export function envoyType(message: string): string {
  return `type.googleapis.com/envoy.${message}`;
}

/** A filter, access log or other extension with its settings. */
export function envoyExtension(
  name: string,
  message: string,
  settings: Readonly<Record<string, unknown>> = {},
) {
  return { name, typed_config: { "@type": envoyType(message), ...settings } };
}

/** A network filter that speaks HTTP, with a router as the last of its HTTP filters. */
export function envoyHttp(settings: Readonly<Record<string, unknown>>, filters: readonly unknown[] = []) {
  return envoyExtension("http", httpManager, {
    ...settings,
    http_filters: [...filters, envoyExtension("router", "extensions.filters.http.router.v3.Router")],
  });
}

/** What answers a kubelet's question whether Envoy is ready, by the fact that it answers. */
export const envoyHealth = envoyHttp({
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

export function envoySocket(address: string, port: number) {
  return { socket_address: { address, port_value: port } };
}

/** Text in place of Envoy's own for the answers that `filter` selects. */
export function envoyReply(filter: Readonly<Record<string, unknown>>, status: number, text: string) {
  return {
    filter,
    status_code: status,
    body: { inline_string: text },
    body_format_override: {
      text_format_source: { inline_string: "%LOCAL_REPLY_BODY%" },
      content_type: "text/plain; charset=utf-8",
    },
  };
}

export function envoyStatusIs(status: number) {
  // Envoy wants a runtime key beside the value; nobody sets it.
  const value = { default_value: status, runtime_key: "drawbridge.none" };
  return { status_code_filter: { comparison: { op: "EQ", value } } };
}

export function proxyFilter(
  { name, namespace, labels, selector }: GatewayOwner,
  configPatches: Input<readonly EnvoyPatch[]>,
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

/** Settings merged into what is there. */
export const merged = (
  applyTo: EnvoyPatch["applyTo"],
  match: EnvoyPatch["match"],
  value: object,
): EnvoyPatch => ({ applyTo, match, patch: { operation: "MERGE", value } });

/** Settings merged into each of a gateway's HTTP connection managers. */
export const onEveryManager = (settings: object) =>
  merged("NETWORK_FILTER", gatewayHttp(), {
    typed_config: { "@type": envoyType(httpManager), ...settings },
  });

/** A filter before all others that are there. */
export const beforeAll = (value: object): EnvoyPatch => ({
  applyTo: "HTTP_FILTER",
  match: gatewayHttp(),
  patch: { operation: "INSERT_FIRST", value },
});
