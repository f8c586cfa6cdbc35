/** Services: who reaches them from outside, and where they lead. */
import { everyAddress, type IpRange, overlap, parseCidr } from "@drawbridge-iac/manifests";
import { at } from "../finding.ts";
import { type Inputs, isOf, listAt, mapAt, type ObjectPair } from "../objects.ts";
import type { AccessContext } from "./context.ts";
import { crosses, type Effect, gains, loses } from "./effect.ts";
import { hasOwnSlice } from "./endpoint-slice.ts";
import { unknownKeys } from "./placeholder.ts";

const fields =
  "allocateLoadBalancerNodePorts clusterIP clusterIPs externalIPs externalName externalTrafficPolicy healthCheckNodePort " +
  "internalTrafficPolicy ipFamilies ipFamilyPolicy loadBalancerClass loadBalancerIP loadBalancerSourceRanges ports " +
  "publishNotReadyAddresses selector sessionAffinity sessionAffinityConfig trafficDistribution type";

export function serviceUnknownFields(inputs: Inputs): string[] {
  return unknownKeys(mapAt(inputs, "spec"), fields.split(" "), "spec");
}

export function serviceDeciding(inputs: Inputs): Record<string, unknown> {
  const { type, selector, externalName, externalIPs, loadBalancerSourceRanges } = mapAt(inputs, "spec");
  return { type, selector, externalName, externalIPs, loadBalancerSourceRanges, scope: scopeOf(inputs) };
}

export function serviceEffects(pair: ObjectPair, context: AccessContext): Effect[] {
  const { before, after } = pair;
  if (after === undefined) return typeOf(before) === "LoadBalancer" ? [loses("the address is gone")] : [];
  return [...published(pair), ...ranges(pair), ...target(pair, hasOwnSlice(pair, context))];
}

const typeOf = (inputs: Inputs | undefined) => String(at(inputs, "spec", "type") ?? "ClusterIP");
const isPublic = (inputs: Inputs | undefined) => ["LoadBalancer", "NodePort"].includes(typeOf(inputs));

/** A way in from outside of the cluster. */
function published(pair: ObjectPair): Effect[] {
  const { before, after } = pair;
  if (!isPublic(after)) return [];
  if (!isPublic(before)) {
    const text = `a ${typeOf(after)} opens it to ${showRanges(after)}`;
    const isNewPlatformProgram = pair.isOwnerNew && isOf(pair, "SshGateway", "FrpServer", "StorageProxy");
    return [isNewPlatformProgram ? gains(text) : crosses("gateway-opened", text)];
  }
  const ports = (inputs: Inputs | undefined) =>
    listAt(inputs, "spec", "ports").map((port) => `${at(port, "protocol") ?? "TCP"} ${at(port, "port")}`);
  const [was, is] = [ports(before), ports(after)];
  return [
    ...is.filter((port) => !was.includes(port)).map((port) => gains(`its address answers at ${port}`)),
    ...was
      .filter((port) => !is.includes(port))
      .map((port) => loses(`its address no longer answers at ${port}`)),
  ];
}

function rangesOf(inputs: Inputs | undefined): IpRange[] {
  const texts = listAt(inputs, "spec", "loadBalancerSourceRanges").map(String);
  return texts.length === 0
    ? [everyAddress(4), everyAddress(6)]
    : texts.flatMap((text) => parseCidr(text) ?? []);
}

function showRanges(inputs: Inputs | undefined): string {
  const texts = listAt(inputs, "spec", "loadBalancerSourceRanges").map(String);
  const scope = isInternal(inputs) ? "the private network" : "any network";
  return texts.length === 0 ? scope : texts.join(", ");
}

function ranges({ before, after }: ObjectPair): Effect[] {
  if (!isPublic(before) || !isPublic(after)) return [];
  const [was, is] = [rangesOf(before), rangesOf(after)];
  const widened = is.some((range) => !isCovered(range, was));
  const narrowed = was.some((range) => !isCovered(range, is));
  const change = `${showRanges(before)} → ${showRanges(after)}`;
  const opened = isInternal(before) && !isInternal(after);
  return [
    ...(widened ? [crosses("gateway-opened", `it would accept clients from more networks: ${change}`)] : []),
    ...(opened ? [crosses("gateway-opened", "it would no longer be kept to the private network")] : []),
    ...(narrowed && !widened ? [loses(`it accepts clients from fewer networks: ${change}`)] : []),
  ];
}

/** Whether all of a range is in the union of others. */
function isCovered(range: IpRange, by: readonly IpRange[]): boolean {
  const shared = by.flatMap((one) => overlap(range, one) ?? []).sort((a, b) => (a.low < b.low ? -1 : 1));
  let next = range.low;
  for (const { low, high } of shared) {
    if (low > next) return false;
    if (high >= next) next = high + 1n;
  }
  return next > range.high;
}

const scopes: Readonly<Record<string, (value: unknown) => boolean>> = {
  "service.beta.kubernetes.io/aws-load-balancer-scheme": (value) => value === "internal",
  "service.beta.kubernetes.io/aws-load-balancer-internal": (value) => value === "true",
  "networking.gke.io/load-balancer-type": (value) => value === "Internal",
  "cloud.google.com/load-balancer-type": (value) => value === "Internal",
  "service.beta.kubernetes.io/azure-load-balancer-internal": (value) => value === "true",
};

function scopeOf(inputs: Inputs | undefined): unknown[] {
  return Object.keys(scopes).map((annotation) => at(inputs, "metadata", "annotations", annotation));
}

function isInternal(inputs: Inputs | undefined): boolean {
  return Object.entries(scopes).some(([annotation, test]) =>
    test(at(inputs, "metadata", "annotations", annotation)),
  );
}

/**
 * What a change of where it leads means. Pods by its selector are its own; an address or a name is somebody else's.
 * @param hasSlice whether its addresses are judged already, in its EndpointSlice
 */
function target({ before, after }: ObjectPair, hasSlice: boolean): Effect[] {
  const leads = (inputs: Inputs | undefined) => [
    ...listAt(inputs, "spec", "externalIPs").map((ip) => `it takes traffic for the address ${ip}`),
    ...(typeOf(inputs) === "ExternalName" ? [`it leads to ${at(inputs, "spec", "externalName")}`] : []),
    ...(inputs !== undefined &&
    !hasSlice &&
    typeOf(inputs) !== "ExternalName" &&
    Object.keys(mapAt(inputs, "spec", "selector")).length === 0
      ? ["it has no selector, so those who may write its endpoints decide where it leads"]
      : []),
  ];
  const known = leads(before);
  const moved =
    before !== undefined &&
    JSON.stringify(at(before, "spec", "selector")) !== JSON.stringify(at(after, "spec", "selector"));
  const elsewhere = leads(after).filter((text) => !known.includes(text));
  return [
    ...elsewhere.map((text) => crosses("route-wall", text)),
    ...(moved && elsewhere.length === 0
      ? [crosses("route-wall", "it would lead to other pods than before")]
      : []),
  ];
}
