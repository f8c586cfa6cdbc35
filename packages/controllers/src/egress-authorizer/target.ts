/** Where a request wants to go, read as strictly as it can be: what two readers could read in two ways is no target. */
import { isHostName } from "@drawbridge-iac/drawbridge/src/host/egress/contract";

/** What Envoy says of a request. */
export interface ProxyRequest {
  readonly method: string;
  /** What follows CONNECT, or the host of the absolute address. */
  readonly authority: string;
  readonly scheme: string;
  /** The value of `proxy-authorization`; empty without one. Secret. */
  readonly authorization: string;
  /** The address of the pod that asks. */
  readonly source: string;
}

export interface Target {
  /** In lower case, without the last dot. */
  readonly host: string;
  readonly port: number;
}

/** The target, or why there is none. */
export function targetOf({ method, authority, scheme }: ProxyRequest): Target | string {
  const isTunnel = method === "CONNECT";
  if (!isTunnel && scheme !== "http")
    return `${scheme}: addresses go through CONNECT, so that nobody on the way reads them`;
  const [, name = "", digits] = /^([^:]*?)\.?(?::([1-9][0-9]{0,4}))?$/.exec(authority.toLowerCase()) ?? [];
  if (!isHostName(name)) {
    return "hosts are reached by name: letters, digits, hyphens and dots, another alphabet's as xn--…; no address";
  }
  if (isTunnel && digits === undefined) return "CONNECT names no port";
  const port = Number(digits ?? 80);
  return port > 65_535 ? "the port is none" : { host: name, port };
}

/** User and password of Basic authentication; undefined for anything else. */
export function credentialsOf(authorization: string): { user: string; token: string } | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { user: text.slice(0, colon), token: text.slice(colon + 1) };
}
