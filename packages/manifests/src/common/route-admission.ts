/**
 * A shared Gateway accepts routes from every namespace. A policy keeps each namespace's VirtualServices to that
 * namespace's own names, so that no team can take another's.
 */
import { type AdmissionRule, type Wall, type WallOwner, wallBinding, wallPolicy } from "./admission.ts";
import type { Manifest } from "./manifest.ts";

export type RouteRule = AdmissionRule;

/**
 * CEL: whether a VirtualService binds to this Gateway, in each way of writing its name that Istio resolves
 * (`resolveGatewayName` in pilot/pkg/model/config.go): `ns/name`, `./name` and `name` from its own namespace, and
 * `name.ns` with or without anything behind a further dot.
 */
export function bindsTo({ name, namespace }: { readonly name: string; readonly namespace: string }): string {
  const written = [
    `g == '${namespace}/${name}'`,
    `g == '${name}.${namespace}'`,
    `g.startsWith('${name}.${namespace}.')`,
    `(request.namespace == '${namespace}' && (g == '${name}' || g == './${name}'))`,
  ];
  return `object.spec.?gateways.orValue([]).exists(g, ${written.join(" || ")})`;
}

/** The wall around one Gateway's routes. */
export function routeWall(name: string, binds: string, rules: readonly AdmissionRule[]): Wall {
  return {
    name,
    requests: [{ apiGroup: "networking.istio.io", resources: ["virtualservices"] }],
    conditions: [{ name: "binds-to-this-gateway", expression: binds }],
    rules,
  };
}

/** @param binds CEL: whether a VirtualService binds to this gateway, and so has to keep the rules. */
export function routePolicy(owner: WallOwner, binds: string, rules: readonly AdmissionRule[]): Manifest {
  return wallPolicy(owner, routeWall("", binds, rules));
}

export function routePolicyBinding(owner: WallOwner): Manifest {
  return wallBinding(owner, { name: "" });
}

/** CEL: whether a host name covers names of the cluster's own Services. */
export const coversClusterNames = (host: string) =>
  `${host}.lowerAscii().matches('(^|[.])svc[.]cluster[.]local[.]?$|^[*]([.]cluster)?([.]local)?[.]?$')`;
