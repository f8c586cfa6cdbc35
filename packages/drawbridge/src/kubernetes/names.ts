import { hashOf } from "../kit/crypto.ts";
import { type Input, text } from "../kit/input.ts";

/**
 * `<base>-<suffix>`, cut to `maximum` characters. A cut name ends in a hash of the whole, so that two long
 * names never meet.
 */
export function joinName(base: string, suffix: string, maximum = 63): string {
  const whole = `${base}-${suffix}`;
  if (whole.length <= maximum) return whole;
  const hash = hashOf(whole, 8);
  return `${base.slice(0, maximum - suffix.length - hash.length - 2).replace(/-+$/, "")}-${hash}-${suffix}`;
}

/**
 * The name of an object that stands in no namespace. No namespace and no name of a component has a dot, so `a-b` and `c`
 * do not meet `a` and `b-c`.
 */
export const clusterName = (...path: string[]): string => ["drawbridge", ...path].join(".");

/** A Service's name inside the cluster. */
export function internalName(service: Input<string>, namespace: Input<string>): Input<string> {
  return text`${service}.${namespace}.svc.cluster.local`;
}

/** A host name or address as it stands before a port: IPv6 needs brackets there. */
export function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/** How the names of ConfigMaps begin that say what a container may reach by name: by it an admission policy knows them. */
export const egressGrantPrefix = "egress-grant.";
