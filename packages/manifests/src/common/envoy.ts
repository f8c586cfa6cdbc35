/** The shapes in which Envoy's configuration names things. */
import type { EnvoyPatch } from "./custom-kinds.ts";

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

/** In an EnvoyFilter: every place of a gateway that speaks HTTP, or one filter of each. */
export function gatewayHttp(subFilter?: string) {
  const filter = {
    name: "envoy.filters.network.http_connection_manager",
    ...(subFilter === undefined ? {} : { subFilter: { name: `envoy.filters.http.${subFilter}` } }),
  };
  return { context: "GATEWAY" as const, listener: { filterChain: { filter } } };
}

/** In an EnvoyFilter: settings merged into each of a gateway's HTTP connection managers. */
export function onEveryManager(settings: object): EnvoyPatch {
  return {
    applyTo: "NETWORK_FILTER",
    match: gatewayHttp(),
    patch: {
      operation: "MERGE",
      value: { typed_config: { "@type": envoyType(httpManager), ...settings } },
    },
  };
}

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
