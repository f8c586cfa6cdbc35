/** Networks with ports as sets, so that two halves equal the whole, and an exception that goes is noticed. */

import {
  everyAddress,
  type IpRange,
  overlap,
  parseCidr,
  toCidrs,
} from "@drawbridge-iac/drawbridge/src/kubernetes/ip";
import { privateNetworks } from "@drawbridge-iac/drawbridge/src/kubernetes/networks";
import { networkOf } from "@drawbridge-iac/drawbridge/src/kubernetes/outside-host";
import { crosses, type Effect, gains, loses } from "../effect.ts";
import { at, hasHidden, listAt } from "../values.ts";
import { hostsOf } from "./hosts.ts";
import type { Judging } from "./judging.ts";
import { hidden, knownSetEffects } from "./sets.ts";

export function networks({ was, is, path, after, bounds, wall }: Judging): Effect[] {
  const { rule, ports, isDenied, isEmptyAll } = wall;
  // An address is no name: a team that is bounded to hosts reaches none besides.
  const isByName = wall.isPublicFine && !isDenied && hostsOf(after, bounds) !== undefined;
  const isPublicFine = wall.isPublicFine && !isByName;
  if (hasHidden(is)) return [hidden(path)];
  const of = (list: unknown): Reach[] => {
    const found = Object.values((list ?? []) as object);
    return found.length === 0 && isEmptyAll ? [...everywhere] : found.flatMap((item) => reachOf(item, ports));
  };
  // What was hidden may have been little; what was denied, all.
  const earlier = isDenied || !hasHidden(was) ? of(was) : [];
  const [old, now] = isDenied ? [of(is), earlier] : [earlier, of(is)];
  const gained = beyond(now, old);
  const known = rule === "gateway-opened" ? [] : inside(gained, bounds.networks);
  const daily = [...known, ...(isPublicFine ? beyond(gained, inside(gained, privateRanges)) : [])];
  const kind = rule !== "network-wall" ? "" : isByName ? "the network " : "the private network ";
  return [
    ...showReach(daily).map((text) => gains(`${path} opens ${text}`)),
    ...showReach(beyond(gained, daily)).map((text) => crosses(rule, `${path} opens ${kind}${text}`)),
    ...showReach(beyond(old, now)).map((text) => loses(`${path} no longer opens ${text}`)),
  ];
}

/** Pods that are let in: those of the own namespace are the team's. */
export const peers = (judging: Judging): Effect[] =>
  knownSetEffects(judging, (text, peer) =>
    (at(peer, "namespace") ?? judging.after.namespace) === judging.after.namespace
      ? gains(text)
      : crosses("network-wall", text),
  );

interface Reach extends IpRange {
  readonly from: number;
  readonly to: number;
}

const [first, last] = [0, 0xffff];
const cidrs = (texts: readonly string[]): IpRange[] => texts.flatMap((text) => parseCidr(text) ?? []);
const privateRanges = cidrs([...privateNetworks.ipv4, ...privateNetworks.ipv6]);
const everywhere: readonly Reach[] = ([4, 6] as const).map((family) => ({
  ...everyAddress(family),
  from: first,
  to: last,
}));

/**
 * What an item of an argument's list names: a network, `{ cidr, ports }`, or `{ address, port }`.
 * @param standard ports of an item that names none; every port without
 */
function reachOf(item: unknown, standard?: readonly number[]): Reach[] {
  const address = at(item, "address");
  const text = typeof item === "string" ? item : (at(item, "cidr") ?? networkOf(String(address)));
  const range = parseCidr(String(text));
  if (range === undefined) return [...everywhere];
  const own = address === undefined ? listAt(item, "ports") : [at(item, "port") ?? standard?.[0]];
  const ports = own.length > 0 ? own : standard;
  if (ports === undefined) return [{ ...range, from: first, to: last }];
  return ports.map((port) => ({ ...range, from: Number(port), to: Number(port) }));
}

/** The parts of `wide` that are not in `known`. */
function beyond(wide: readonly Reach[], known: readonly Reach[]): Reach[] {
  return known.reduce<Reach[]>((left, one) => left.flatMap((reach) => minus(reach, one)), [...wide]);
}

function minus(reach: Reach, known: Reach): Reach[] {
  const shared = overlap(reach, known);
  const [from, to] = [Math.max(reach.from, known.from), Math.min(reach.to, known.to)];
  if (shared === undefined || from > to) return [reach];
  return [
    { ...reach, high: shared.low - 1n },
    { ...reach, low: shared.high + 1n },
    { ...reach, ...shared, to: from - 1 },
    { ...reach, ...shared, from: to + 1 },
  ].filter((rest) => rest.low <= rest.high && rest.from <= rest.to);
}

/** The parts that lie inside the ranges. */
function inside(all: readonly Reach[], ranges: readonly IpRange[]): Reach[] {
  return all.flatMap((reach) =>
    ranges.flatMap((range) => {
      const shared = overlap(reach, range);
      return shared === undefined ? [] : [{ ...reach, ...shared }];
    }),
  );
}

/** `10.0.0.0/8 at TCP 443`; several networks with the same ports in one text. */
function showReach(all: readonly Reach[]): string[] {
  return [...Map.groupBy(all, showPorts)].map(([ports, reaches]) => {
    const shown = [...new Set(reaches.flatMap((reach) => toCidrs(reach)))];
    const few = shown.slice(0, 4).join(", ");
    return `${shown.length > 4 ? `${few} and ${shown.length - 4} more networks` : few} at ${ports}`;
  });
}

function showPorts({ from, to }: Reach): string {
  if (from === first && to === last) return "every port";
  return from === to ? `TCP ${from}` : `TCP ${from}-${to}`;
}
