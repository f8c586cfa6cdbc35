/** What frps sends to a server plugin and what it expects back (frp's doc/server_plugin.md). */

/** The operations that are answered; any other is refused. */
export const operations = ["Login", "NewProxy", "Ping", "NewUserConn"] as const;
type Operation = (typeof operations)[number];

/** Who asks: a frpc, by the user name and the metadata of its login. */
interface Client {
  readonly user: string;
  /** Its own token; empty if it sent none. Secret. */
  readonly token: string;
}

/** What a frpc wants to register. */
export interface ProxyRequest {
  readonly name: string;
  readonly type: string;
  readonly multiplexer: string;
  readonly customDomains: readonly string[];
  /** Further fields that are set, by frp's names. None of them has a use here. */
  readonly otherFields: readonly string[];
}

export interface AuthorizeRequest {
  readonly operation: Operation;
  readonly client: Client;
  /** Address of the frpc (Login) or of the ssh client (NewUserConn); empty where frps does not say. */
  readonly address: string;
  /** With NewProxy only. */
  readonly proxy: ProxyRequest | undefined;
}

/** The body that frps understands. `unchange` leaves the request as frpc sent it. */
export type Answer =
  | { readonly reject: false; readonly unchange: true }
  | { readonly reject: true; readonly reject_reason: string };

// Fields of a NewProxy request that this service knows; whatever else is set is refused by name.
const knownProxyFields = new Set([
  "user",
  "proxy_name",
  "proxy_type",
  "multiplexer",
  "custom_domains",
  "bandwidth_limit_mode", // frpc always sends its default, "client"
  "annotations",
  "metas",
]);

/** Reads a request's body; throws with what is wrong, so that a change in frp's protocol is noticed. */
export function parseRequest(body: string): AuthorizeRequest {
  const { op, content } = record(JSON.parse(body), "the request");
  const operation = operations.find((known) => known === op);
  if (operation === undefined) {
    throw new Error(`the operation ${JSON.stringify(op)} is not one of ${operations.join(", ")}`);
  }
  const fields = record(content, "content");
  // A login names the user at the top; every later operation repeats it in `user`.
  const who = operation === "Login" ? fields : record(fields.user, "content.user");
  return {
    operation,
    client: {
      user: text(who.user),
      token: text(record(who.metas ?? {}, "metas").token),
    },
    address: text(fields.client_address ?? fields.remote_addr),
    proxy: operation === "NewProxy" ? proxyRequest(fields) : undefined,
  };
}

function proxyRequest(fields: Record<string, unknown>): ProxyRequest {
  const domains = fields.custom_domains ?? [];
  if (!Array.isArray(domains)) throw new Error("custom_domains is not a list");
  return {
    name: text(fields.proxy_name),
    type: text(fields.proxy_type),
    multiplexer: text(fields.multiplexer),
    customDomains: domains.map(text),
    otherFields: Object.keys(fields).filter((key) => !knownProxyFields.has(key) && isSet(fields[key])),
  };
}

function isSet(value: unknown): boolean {
  if (value === null || value === "" || value === 0 || value === false) return false;
  return !(typeof value === "object" && Object.keys(value).length === 0);
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${what} is not an object`);
  }
  return value as Record<string, unknown>;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw new Error("a field that must be text is not");
  return value;
}
