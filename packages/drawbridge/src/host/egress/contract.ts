/** What a container may reach by name: what its stack's objects and the authorizer (packages/controllers) agree on. */

import { egressGrantPrefix } from "../../kubernetes/names.ts";

/** Name of the ConfigMap with one container's grant, in the container's namespace. */
export const egressGrantName = (name: string) => `${egressGrantPrefix}${name}`;

/** Its data; the hosts are one a line. */
export interface EgressGrant {
  /** Hash of the container's token; it opens nothing. */
  readonly tokenSha256: string;
  readonly hosts: ReadonlySet<string>;
  /** The one pod that may have the token. */
  readonly podName: string;
}

/** The most characters of all hosts of a grant, with the end of each line: a ConfigMap holds a little more. */
export const longestHosts = 1_000_000;

/** The ports of a host that names none: https and plain http. */
const webPorts: readonly number[] = [443, 80];

/** A declared host, `pypi.org`, `*.example.com` or `git.example.com:22`. */
interface HostPattern {
  /** Without the wildcard. */
  readonly name: string;
  /** Whether every name below it is meant, and not itself. */
  readonly below: boolean;
  readonly ports: readonly number[];
}

const label = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
const names = new RegExp(`^(?:${label}\\.)+${label}$`);

/** Whether it is a whole name of DNS in lower case, which no reader of addresses takes for one. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && names.test(text) && !/(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/.test(text);

/** A declared host taken apart; undefined for what is none. */
export function parseHostPattern(text: string): HostPattern | undefined {
  const [, star, name = "", port] = /^(\*\.)?([^:*]+)(?::([1-9][0-9]{0,4}))?$/.exec(text) ?? [];
  if (!isHostName(name) || Number(port ?? 1) > 65_535) return undefined;
  return { name, below: star !== undefined, ports: port === undefined ? webPorts : [Number(port)] };
}

/** Whether one of the declared hosts is this one; a text that is no host is none, and allows none. */
export function allowsHost(hosts: ReadonlySet<string>, host: string, port: number): boolean {
  if (!isHostName(host)) return false;
  const isDeclared = (name: string) =>
    hosts.has(`${name}:${port}`) || (webPorts.includes(port) && hosts.has(name));
  if (isDeclared(host)) return true;
  // Names above it that have two labels at least.
  for (let dot = host.indexOf("."), next = dot; ; dot = next) {
    next = host.indexOf(".", dot + 1);
    if (next < 0) return false;
    if (isDeclared(`*${host.slice(dot)}`)) return true;
  }
}

/** Whether all that one declared host stands for is what another one stands for too. */
export function isHostWithin(text: string, bound: string): boolean {
  const [inner, outer] = [parseHostPattern(text), parseHostPattern(bound)];
  if (inner === undefined || outer === undefined) return false;
  const isNamed = outer.below
    ? inner.name.endsWith(`.${outer.name}`) || (inner.below && inner.name === outer.name)
    : !inner.below && inner.name === outer.name;
  return isNamed && inner.ports.every((port) => outer.ports.includes(port));
}

/** How a host is declared that is asked for like this. */
export const hostToDeclare = (host: string, port: number): string =>
  webPorts.includes(port) ? host : `${host}:${port}`;

/** Where Envoy keeps the authorizer's answer with a request; nothing outside can write there. */
export const decision = { namespace: "drawbridge", destination: "destination" } as const;

/** The header of a refusal that says what to do. */
export const refusalHeader = "x-egress-reason";

/** Where Envoy and the authorizer listen in the gateway's pod. */
export const egressPorts = { proxy: 3128, authorizerMetrics: 7512 } as const;
