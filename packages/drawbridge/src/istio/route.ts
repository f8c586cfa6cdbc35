/**
 * Routes on a Gateway. A shared one accepts them from every namespace: a policy keeps each namespace's VirtualServices to that
 * namespace's own names, so that no team can take another's.
 */

import { type Input, text } from "../kit/input.ts";
import type { VirtualServiceSpec } from "../kubernetes/kinds.ts";
import type { Manifest } from "../kubernetes/manifest.ts";

/** What an object of a component is called, and its labels. */
export interface Owner {
  readonly name: string;
  readonly namespace: Input<string>;
  readonly labels: Readonly<Record<string, string>>;
}

/** Which Gateway a route is on. */
export interface GatewayName<Name = Input<string>> {
  readonly name: Name;
  readonly namespace: Name;
}

/** Told to the gateway's namespace alone, unless another is named. */
export function route(
  { name, namespace, labels }: Owner,
  gateway: GatewayName,
  {
    hosts,
    exportTo = [gateway.namespace],
    ...rules
  }: Partial<VirtualServiceSpec> & Pick<VirtualServiceSpec, "hosts">,
): Manifest<"VirtualService"> {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name, namespace, labels },
    spec: { hosts, gateways: [text`${gateway.namespace}/${gateway.name}`], exportTo, ...rules },
  };
}

/**
 * CEL: whether a VirtualService binds to this Gateway, in each way of writing its name that Istio resolves
 * (`resolveGatewayName` in pilot/pkg/model/config.go): `ns/name`, `./name` and `name` from its own namespace, and
 * `name.ns` with or without anything behind a further dot.
 */
export function bindsTo({ name, namespace }: GatewayName<string>): string {
  const written = [
    `g == '${namespace}/${name}'`,
    `g == '${name}.${namespace}'`,
    `g.startsWith('${name}.${namespace}.')`,
    `(request.namespace == '${namespace}' && (g == '${name}' || g == './${name}'))`,
  ];
  return `object.spec.?gateways.orValue([]).exists(g, ${written.join(" || ")})`;
}

/** CEL: a VirtualService's HTTP routes. */
export const httpRoutes = "object.spec.?http.orValue([])";

/** A regular expression, in CEL: one label of a DNS name. */
export const dnsLabelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

/** CEL: every destination is a Service of the object's own namespace. */
export const ownServices = `${httpRoutes}.all(rule, rule.?route.orValue([]).all(to, to.destination.host.matches('^${dnsLabelPattern}[.]' + request.namespace + '[.]svc[.]cluster[.]local$')))`;

/** CEL: whether a host name covers names of the cluster's own Services. */
export const coversClusterNames = (host: string) =>
  `${host}.lowerAscii().matches('(^|[.])svc[.]cluster[.]local[.]?$|^[*]([.]cluster)?([.]local)?[.]?$')`;

/**
 * The shape that a policy accepts comes from the builder itself. The builder runs with holes in place of the values that
 * differ; an object must equal the result, with its own values in the holes. So a field that the builder does not write
 * is refused, whether anybody knew of it or not. A hole stands for a value of the object's, by its CEL expression; other
 * rules say which values it may have.
 */
export const hole = <T = string>(expression: string): T => `${begin}${expression}${end}` as T;

const [begin, end] = ["\u{E000}", "\u{E001}"];

/** CEL: what a builder made with holes. */
export function shapeOf(made: unknown): string {
  if (typeof made === "string") return textOf(made);
  if (typeof made !== "object" || made === null) return String(made);
  if (Array.isArray(made)) return `[${made.map(shapeOf).join(", ")}]`;
  const fields = Object.entries(made).map(([name, value]) => `'${name}': ${ofAnyType(value)}`);
  return `{${fields.join(", ")}}`;
}

/** CEL wants all values of a map to be of one type. */
const ofAnyType = (value: unknown) => `dyn(${shapeOf(value)})`;

function textOf(text: string): string {
  const parts = text.split(new RegExp(`[${begin}${end}]`, "u"));
  if (parts.length === 3 && parts[0] === "" && parts[2] === "") return parts[1] as string;
  return parts
    .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : `string(${part})`))
    .filter((part) => part !== '""')
    .join(" + ");
}
