/** Network flows as sets of peers or address ranges with ports. Differences of sets are exact. */

import { everyAddress, type IpRange, overlap, parseCidr, toCidrs } from "@drawbridge-iac/manifests";
import { at } from "../finding.ts";
import { listAt } from "../objects.ts";
import { type Demands, demandsOf, isSame, selects } from "./selector.ts";

/** Pods by the labels of their namespace and their own. */
export interface PodPeer {
  readonly namespaces: Demands;
  readonly pods: Demands;
}

/** Flows between the pods and one kind of peer, at one range of ports. */
export interface Flow {
  readonly peer: PodPeer | IpRange;
  readonly protocol: string;
  readonly low: number;
  readonly high: number;
}

export const isRange = (peer: PodPeer | IpRange): peer is IpRange => "family" in peer;

const protocols = ["TCP", "UDP", "SCTP"];
/** Above the numbers there is room for names of ports: which number one has is the pod's to say. */
const lastPort = 0xffff;
const lastNamed = 2 ** 40;
export const everyPort = { low: 0, high: lastNamed };

const namespaceLabel = "kubernetes.io/metadata.name";
const nobody: Demands = new Set();
const everyone: readonly (PodPeer | IpRange)[] = [
  { namespaces: nobody, pods: nobody },
  everyAddress(4),
  everyAddress(6),
];

/** Flows that a NetworkPolicy's rule allows. @param namespace of the policy, to which a bare podSelector refers */
export function flowsOf(rule: unknown, side: "from" | "to", namespace: string): Flow[] {
  const declared = listAt(rule, side);
  const peers = declared.length === 0 ? everyone : declared.flatMap((peer) => peersOf(peer, namespace));
  const ports = listAt(rule, "ports");
  const ranges = ports.length === 0 ? protocols.map(allOf) : ports.flatMap(portsOf);
  return peers.flatMap((peer) => ranges.map((range) => ({ peer, ...range })));
}

/** All flows: what is allowed without a policy. */
export const everyFlow: readonly Flow[] = everyone.flatMap((peer) =>
  protocols.map((protocol) => ({ peer, ...allOf(protocol) })),
);

function allOf(protocol: string) {
  return { protocol, ...everyPort };
}

function portsOf(port: unknown): Omit<Flow, "peer">[] {
  const protocol = String(at(port, "protocol") ?? "TCP");
  const number = at(port, "port");
  if (number === undefined || number === null) return [allOf(protocol)];
  const low = typeof number === "number" ? number : named(String(number));
  return [{ protocol, low, high: Number(at(port, "endPort") ?? low) }];
}

/** A number for a named port, from a hash of its name. */
function named(name: string): number {
  if (/^\d+$/.test(name)) return Number(name);
  const sum = [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % (lastNamed / 2), 7);
  return lastPort + 1 + sum;
}

function peersOf(peer: unknown, namespace: string): (PodPeer | IpRange)[] {
  const block = at(peer, "ipBlock");
  if (block !== undefined) return rangesOf(block);
  const selector = at(peer, "namespaceSelector");
  const namespaces =
    selector === undefined ? new Set([`${namespaceLabel}=${namespace}`]) : demandsOf(selector);
  return [{ namespaces, pods: demandsOf(at(peer, "podSelector")) }];
}

/** The ranges of an ipBlock, with its exceptions taken out. */
function rangesOf(block: unknown): IpRange[] {
  const whole = parseCidr(String(at(block, "cidr")));
  const holes = listAt(block, "except").flatMap((text) => parseCidr(String(text)) ?? []);
  // A block that cannot be read, or is not known yet, may be any.
  const all = whole === undefined ? [everyAddress(4), everyAddress(6)] : [whole];
  return holes.reduce((ranges, hole) => ranges.flatMap((one) => without(one, hole)), all);
}

function without(range: IpRange, hole: IpRange): IpRange[] {
  const shared = overlap(range, hole);
  if (shared === undefined) return [range];
  const below = { ...range, high: shared.low - 1n };
  const above = { ...range, low: shared.high + 1n };
  return [below, above].filter(({ low, high }) => low <= high);
}

/** The parts of `flows` that are not in `known`. */
export function beyond(flows: readonly Flow[], known: readonly Flow[]): Flow[] {
  return known.reduce<Flow[]>((left, one) => left.flatMap((flow) => minus(flow, one)), [...flows]);
}

function minus(flow: Flow, known: Flow): Flow[] {
  const low = Math.max(flow.low, known.low);
  const high = Math.min(flow.high, known.high);
  if (flow.protocol !== known.protocol || low > high) return [flow];
  const otherPorts = (peer: Flow["peer"]) =>
    [
      { ...flow, peer, high: low - 1 },
      { ...flow, peer, low: high + 1 },
    ].filter((rest) => rest.low <= rest.high);
  const { peer } = flow;
  if (!isRange(peer)) {
    if (isRange(known.peer)) return [flow];
    return covers(known.peer, peer) ? otherPorts(peer) : [flow];
  }
  const shared = isRange(known.peer) ? overlap(peer, known.peer) : undefined;
  if (shared === undefined) return [flow];
  return [...without(peer, shared).map((rest) => ({ ...flow, peer: rest })), ...otherPorts(shared)];
}

export function covers(wide: PodPeer, narrow: PodPeer): boolean {
  return selects(wide.namespaces, narrow.namespaces) && selects(wide.pods, narrow.pods);
}

/** The parts of flows to addresses that lie inside the ranges. */
export function inside(flows: readonly Flow[], ranges: readonly IpRange[]): Flow[] {
  return flows.flatMap((flow) =>
    ranges.flatMap((range) => {
      const shared = isRange(flow.peer) ? overlap(flow.peer, range) : undefined;
      return shared === undefined ? [] : [{ ...flow, peer: shared }];
    }),
  );
}

/** `10.0.0.0/8 at TCP 443`; several ranges with the same ports in one text. */
export function showRanges(flows: readonly Flow[]): string[] {
  const byPorts = new Map<string, Set<string>>();
  for (const flow of flows) {
    if (!isRange(flow.peer)) continue;
    const group = byPorts.get(showPorts(flow)) ?? new Set<string>();
    for (const cidr of toCidrs(flow.peer)) group.add(cidr);
    byPorts.set(showPorts(flow), group);
  }
  const byRanges = new Map<string, string[]>();
  for (const [ports, cidrs] of byPorts) {
    const few = [...cidrs].slice(0, 4).join(", ");
    const ranges = cidrs.size > 4 ? `${few} and ${cidrs.size - 4} more ranges` : few;
    byRanges.set(ranges, [...(byRanges.get(ranges) ?? []), ports]);
  }
  return [...byRanges].map(([ranges, ports]) => `${ranges} at ${joinPorts(ports)}`);
}

/** Peers that are pods, each with its ports. */
export function podFlows(flows: readonly Flow[]): { peer: PodPeer; ports: string }[] {
  const groups: { peer: PodPeer; ports: string[] }[] = [];
  for (const flow of flows) {
    const { peer } = flow;
    if (isRange(peer)) continue;
    const known = groups.find(
      (one) => isSame(one.peer.namespaces, peer.namespaces) && isSame(one.peer.pods, peer.pods),
    );
    if (known === undefined) groups.push({ peer, ports: [showPorts(flow)] });
    else known.ports.push(showPorts(flow));
  }
  return groups.map(({ peer, ports }) => ({ peer, ports: joinPorts(ports) }));
}

function joinPorts(ports: readonly string[]): string {
  const every = protocols.every((protocol) => ports.includes(`every ${protocol} port`));
  return every ? "every port" : [...new Set(ports)].join(", ");
}

function showPorts({ protocol, low, high }: Flow): string {
  if (low === 0 && high >= lastPort) return `every ${protocol} port`;
  if (low > lastPort) return `a named ${protocol} port`;
  const last = Math.min(high, lastPort);
  return low === last ? `${protocol} ${low}` : `${protocol} ${low}-${last}`;
}
