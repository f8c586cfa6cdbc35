/**
 * A shared Gateway accepts routes from every namespace. A policy keeps each namespace's VirtualServices to that
 * namespace's own names, so that no team can take another's.
 */
import type { AdmissionRule, Wall } from "./admission.ts";

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

/** CEL: whether a host name covers names of the cluster's own Services. */
export const coversClusterNames = (host: string) =>
  `${host}.lowerAscii().matches('(^|[.])svc[.]cluster[.]local[.]?$|^[*]([.]cluster)?([.]local)?[.]?$')`;
