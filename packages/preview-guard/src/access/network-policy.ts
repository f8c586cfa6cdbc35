/** NetworkPolicies in both directions. */
import { everyAddress, type IpRange, parseCidr, privateNetworks } from "@drawbridge-iac/manifests";
import { at, withSshd } from "../finding.ts";
import { type Inputs, isOf, listAt, mapAt, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, gains, loses } from "./effect.ts";
import {
  beyond,
  everyFlow,
  type Flow,
  flowsOf,
  inside,
  isRange,
  type PodPeer,
  podFlows,
  showRanges,
} from "./flow.ts";
import { templateOf } from "./pod-template.ts";
import { type Demands, demanded, demandsOf, isSame, selects, showDemands } from "./selector.ts";

const namespaceLabel = "kubernetes.io/metadata.name";
const partLabel = "app.kubernetes.io/component";
/** The platform's programs: gateways, frp servers, proxies. */
const platformParts = ["ssh-gateway", "storage-proxy", "frp-server"];

const ranges = (...texts: readonly string[]): IpRange[] => texts.flatMap((text) => parseCidr(text) ?? []);
const privateRanges = ranges(...privateNetworks.ipv4, ...privateNetworks.ipv6);
// NodeLocal DNSCache listens at this address of each node.
const nodeLocalDns = ranges("169.254.20.10/32");

export function networkPolicyEffects(pair: ObjectPair, context: AccessContext): Effect[] {
  const { before, after } = pair;
  if (after === undefined) return removed(pair, context);
  const isMoved = before !== undefined && !isSame(selectorOf(before), selectorOf(after));
  const moved = isMoved
    ? [
        crosses(
          "network-wall",
          `it would stand before other pods (${showDemands(selectorOf(after), "all")}) than before (${showDemands(selectorOf(before), "all")}), so those lose their wall`,
        ),
      ]
    : [];
  return [...moved, ...ingress(pair, context), ...egress(pair, context)];
}

const selectorOf = (inputs: Inputs) => demandsOf(at(inputs, "spec", "podSelector"));

/** A NetworkPolicy may go together with its pods. Other pods that it selects would be open. */
function removed(pair: ObjectPair, { pairs }: AccessContext): Effect[] {
  const { before, namespace } = pair;
  const selector = selectorOf(before ?? {});
  const goesToo = pairs.some(
    (pair) =>
      pair.groupKind?.startsWith("apps/") &&
      pair.after === undefined &&
      pair.namespace === namespace &&
      selector.size > 0 &&
      isSame(demandsOf(at(pair.before, "spec", "selector")), selector),
  );
  if (goesToo || leavesPods(pair, selector, pairs)) return [];
  return [
    crosses(
      "network-wall",
      `the wall before ${showDemands(selector, "every pod of the namespace")} is taken down`,
    ),
  ];
}

/** The NetworkPolicy of an InjectedSshd that is removed: the pods are as they were before it. */
function leavesPods(
  { component, namespace }: ObjectPair,
  wall: Demands,
  pairs: readonly ObjectPair[],
): boolean {
  const isEnd = pairs.some(
    (one) =>
      one.type === "drawbridge:index:InjectedSshd" && one.name === component?.name && one.after === undefined,
  );
  const isBehind = (inputs: Inputs | undefined, { kind }: ObjectPair) =>
    selects(wall, demandsOf({ matchLabels: mapAt(templateOf(inputs, kind), "metadata", "labels") }));
  const behind = pairs.filter((one) => one.namespace === namespace && isBehind(one.before, one));
  return isEnd && behind.length > 0 && behind.every((one) => !isBehind(one.after, one));
}

type Direction = "Ingress" | "Egress";

/** The allowed flows: all if the policy does not limit the direction, none without a policy. */
function flows(inputs: Inputs | undefined, direction: Direction, namespace: string): readonly Flow[] {
  if (inputs === undefined) return [];
  const rules = listAt(inputs, "spec", direction.toLowerCase());
  const types = listAt(inputs, "spec", "policyTypes");
  const isLimited =
    types.length > 0 ? types.includes(direction) : direction === "Ingress" || rules.length > 0;
  if (!isLimited) return everyFlow;
  return rules.flatMap((rule) => flowsOf(rule, direction === "Ingress" ? "from" : "to", namespace));
}

function both({ before, after, namespace }: ObjectPair, direction: Direction) {
  const isOpen = before === undefined && flows(after, direction, namespace) === everyFlow;
  const was = isOpen ? everyFlow : flows(before, direction, namespace);
  const is = flows(after, direction, namespace);
  return { was, gained: beyond(is, was), lost: beyond(was, is) };
}

const reach = (who: string, ports: string) => `${who} may reach ${ports} of it`;

function ingress(pair: ObjectPair, context: AccessContext): Effect[] {
  const { was, gained, lost } = both(pair, "Ingress");
  const isPlatforms = isPlatformsFirst(pair);
  const networks = showNetworks(gained);
  const pods = podFlows(gained).flatMap(({ peer, ports }) => {
    // A rule for everybody covers every pod at the same ports.
    const isEvery = peer.namespaces.size === 0 && peer.pods.size === 0;
    if (isEvery && networks.includes(`everybody at ${ports}`)) return [];
    const text = reach(showPeer(peer, pair.namespace), ports);
    const isFine = isOwn(peer, pair) || isPlatforms || isDeclared(peer, was, pair, context);
    return [isFine ? gains(text) : crosses("network-wall", text)];
  });
  return [
    ...pods,
    ...networks.map((text) =>
      isPlatforms ? gains(`${text} may reach it`) : crosses("network-wall", `${text} may reach it`),
    ),
    ...lostEffects(lost, pair, (who) => `${who} may no longer reach it`),
  ];
}

/** Whether a program of the platform gets its first policy: all that this allows was allowed before. */
function isPlatformsFirst(pair: ObjectPair): boolean {
  return pair.before === undefined && isOf(pair, "SshGateway", "FrpServer", "StorageProxy");
}

function egress(pair: ObjectPair, context: AccessContext): Effect[] {
  const isPlatforms = isPlatformsFirst(pair);
  const { was, gained, lost } = both(pair, "Egress");
  const pods = podFlows(gained).flatMap(({ peer, ports }) => {
    const text = `it may reach ${showPeer(peer, pair.namespace)} at ${ports}`;
    // Every container may ask the cluster's DNS, so it is not reported.
    if (isDnsPeer(peer) && ports.split(", ").every((port) => port === "UDP 53" || port === "TCP 53"))
      return [];
    const isFine = isOwn(peer, pair) || isPlatforms || isDeclared(peer, was, pair, context);
    return [isFine ? gains(text) : crosses("network-wall", text)];
  });
  const isNameLookup = ({ low, high }: Flow) => low === 53 && high === 53;
  const allowed = [
    ...inside(gained.filter(isNameLookup), nodeLocalDns),
    ...inside(gained, context.bounds.networks),
  ];
  const inPrivate = beyond(inside(gained, privateRanges), allowed);
  const outside = beyond(gained, inside(gained, privateRanges)).filter(({ peer }) => isRange(peer));
  const internet = outside.length === 0 ? [] : [`${showInternet(outside)}`];
  const isHosts = isOf(pair, ...withSshd, "SshRoute");
  return [
    ...pods,
    ...showRanges(inPrivate).map((text) => {
      const reached = `it may reach the private network ${text}`;
      return isPlatforms ? gains(reached) : crosses("network-wall", reached);
    }),
    ...showRanges(inside(gained, context.bounds.networks)).map((text) => gains(`it may reach ${text}`)),
    ...internet.map((text) =>
      isHosts || isPlatforms
        ? gains(`it may reach ${text}`)
        : crosses("network-wall", `it may reach ${text}`),
    ),
    ...lostEffects(lost, pair, (who) => `it may no longer reach ${who}`),
  ];
}

/** Short text for the whole internet, which has many ranges. */
function showInternet(flows: readonly Flow[]): string {
  const shown = showRanges(flows);
  const isWide = flows.some(({ peer }) => isRange(peer) && peer.high - peer.low >= 2n ** 24n);
  return isWide ? `the internet at ${[...new Set(shown.map(portsOf))].join(", ")}` : shown.join("; ");
}

const portsOf = (text: string) => text.slice(text.indexOf(" at ") + 4);

function showNetworks(flows: readonly Flow[]): string[] {
  const every = [4, 6].some((family) =>
    flows.some(({ peer }) => isRange(peer) && peer.high - peer.low === everyAddress(family as 4 | 6).high),
  );
  const shown = showRanges(flows);
  return every && shown.length > 0 ? [`everybody at ${[...new Set(shown.map(portsOf))].join(", ")}`] : shown;
}

function lostEffects(lost: readonly Flow[], pair: ObjectPair, say: (who: string) => string): Effect[] {
  const pods = podFlows(lost).map(({ peer, ports }) => `${showPeer(peer, pair.namespace)} at ${ports}`);
  const everybody = showNetworks(lost).filter((text) => text.startsWith("everybody"));
  const networks = lost.some(({ peer }) => isRange(peer)) ? [showInternet(lost)] : [];
  return (everybody.length > 0 ? everybody : [...pods, ...networks]).map((who) => loses(say(who)));
}

function isOwn(peer: PodPeer, { namespace }: ObjectPair): boolean {
  return demanded(peer.namespaces, namespaceLabel) === namespace;
}

function isDnsPeer({ namespaces, pods }: PodPeer): boolean {
  return demanded(namespaces, namespaceLabel) === "kube-system" && demanded(pods, "k8s-app") === "kube-dns";
}

/**
 * A way that the container declares: the first program of the platform of its kind, by its labels, or the gateway that
 * a route of the same component, new as well, names. Another one in its place is another namespace's.
 */
function isDeclared(
  peer: PodPeer,
  was: readonly Flow[],
  pair: ObjectPair,
  { pairs }: AccessContext,
): boolean {
  const namespace = demanded(peer.namespaces, namespaceLabel);
  if (namespace === undefined) return false;
  const part = demanded(peer.pods, partLabel);
  const known = podFlows(was).map(({ peer }) => peer);
  if (part !== undefined && platformParts.includes(part)) {
    const ofPart = known.filter((one) => demanded(one.pods, partLabel) === part);
    const isThat = ofPart.some(
      (one) => isSame(one.namespaces, peer.namespaces) && isSame(one.pods, peer.pods),
    );
    return isThat || ofPart.length === 0;
  }
  // A selector of one's own, as an existing gateway has it: the component's route says that it is the gateway.
  return pairs.some(
    (route) =>
      route.kind === "VirtualService" &&
      route.component?.name === pair.component?.name &&
      binds(route.after, namespace) &&
      (route.before === undefined || binds(route.before, namespace)),
  );
}

function binds(route: Inputs | undefined, namespace: string): boolean {
  return listAt(route, "spec", "gateways").some((name) => String(name).startsWith(`${namespace}/`));
}

function showPeer({ namespaces, pods }: PodPeer, own: string): string {
  const namespace = demanded(namespaces, namespaceLabel);
  const part = demanded(pods, partLabel);
  const instance = demanded(pods, "app.kubernetes.io/instance");
  const who =
    part !== undefined && instance !== undefined
      ? `${part} ${instance}`
      : `pods with ${showDemands(pods, "any label")}`;
  if (namespace === own) return `${who} of its own namespace`;
  if (namespace !== undefined) return `${who} of namespace ${namespace}`;
  return `${who} of namespaces with ${showDemands(namespaces, "any label")}`;
}
