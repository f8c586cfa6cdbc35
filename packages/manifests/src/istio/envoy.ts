/** The shapes in which Envoy's configuration names things. */

/** The network filter that speaks HTTP. */
export const httpManager = "extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

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
