/** What a container is called, and what it may call itself. */
import type { Identity } from "../api-server.ts";
import type { ProxyRequest } from "./frps-protocol.ts";

/** What a container may call itself. */
interface Names {
  /** The suffix of every name of this frps. */
  readonly domainSuffix: string;
  /** Domains that the platform reserved for this container. */
  readonly reserved: readonly string[];
  /** A name that the container's own namespace granted. */
  readonly clientDomain: string | undefined;
}

/** Why a registration is refused, or undefined if it may be made. */
export function proxyFault(proxy: ProxyRequest, identity: Identity, names: Names): string | undefined {
  const expected = `${identity.namespace}.${identity.name}.ssh`;
  if (proxy.type !== "tcpmux" || proxy.multiplexer !== "httpconnect") {
    return `a proxy of type "${proxy.type}" is not allowed here; use type tcpmux with multiplexer httpconnect`;
  }
  if (proxy.name !== expected) return `the proxy "${proxy.name}" must be called "${expected}"`;
  if (proxy.otherFields.length > 0) {
    return `the proxy sets ${proxy.otherFields.join(", ")}, which has no use here; leave it out`;
  }
  if (proxy.customDomains.length === 0) return "the proxy names no domain; give its own in customDomains";
  const allowed = allowedDomains(identity, names);
  const foreign = proxy.customDomains.filter((domain) => !allowed.includes(domain));
  return foreign.length === 0
    ? undefined
    : `the domain ${foreign.map((domain) => JSON.stringify(domain)).join(", ")} is not this container's; it may register ${allowed.join(", ")}`;
}

/**
 * The domains of one container: its own, those reserved for it, and the one that its namespace granted if that
 * is below the namespace's part of the suffix, so that no namespace can give itself a name of another.
 */
function allowedDomains({ namespace, name }: Identity, names: Names): string[] {
  const within = `.${namespace}.${names.domainSuffix}`;
  const granted = names.clientDomain?.endsWith(within) ? [names.clientDomain] : [];
  return [...new Set([`${name}${within}`, ...names.reserved, ...granted])];
}
