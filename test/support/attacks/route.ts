/** The route of a container, which attacks change, and its names. */
import { clientCertificatePattern } from "../../../packages/drawbridge/src/istio/ssh-route.ts";
import type { ApiObject } from "./api-user.ts";
import { namespaceOf, type Place, type Who } from "./attack.ts";

export type Spec = Record<string, unknown>;

export const own = (place: Place) => `own.${place.team}.${place.gateway.domain}`;
export const theirs = (place: Place) => `box.${place.victim}.${place.gateway.domain}`;
export const ownService = (place: Place) => `own.${place.team}.svc.cluster.local`;
export const gatewayOf = ({ gateway }: Place) => `${gateway.namespace}/${gateway.name}`;

/** A route as a container has it, by hand. @param gateway its name and its namespace's */
export const connectRoute = (
  name: string,
  namespace: string,
  gateway: string,
  hosts: readonly string[],
  to: string,
): ApiObject => ({
  apiVersion: "networking.istio.io/v1",
  kind: "VirtualService",
  metadata: { name, namespace },
  spec: {
    hosts,
    gateways: [`${gateway}/${gateway}`],
    exportTo: [gateway],
    http: [
      {
        name: "ssh-connect",
        match: [{ authority: { regex: "[^:]+:22" } }],
        retries: { attempts: 0 },
        route: [{ destination: { host: to, port: { number: 22 } } }],
      },
    ],
  },
});

/** The route of a container `own`, with changes. */
export function route(place: Place, changes: Spec = {}, who: Who = "deployer"): ApiObject {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "VirtualService",
    metadata: { name: "attack", namespace: namespaceOf(who, place) },
    spec: {
      hosts: [own(place), ownService(place)],
      gateways: [gatewayOf(place)],
      exportTo: [place.gateway.namespace],
      http: [rule(place)],
      ...changes,
    },
  };
}

/** A further name for the container `own`, for everybody who reaches the gateway. */
export function furtherName(place: Place, host: string): ApiObject {
  const match = [{ authority: { regex: "[^:]+:22" } }];
  const inside = `${host.split(".")[0]}.${place.team}.svc.cluster.local`;
  return route(place, { hosts: [host, inside], http: [rule(place, { match })] });
}

export const base = { policy: "", who: "deployer", twin: (place: Place) => route(place) } as const;

export const certificate = "x-forwarded-client-cert";
export const ownIdentities = clientCertificatePattern([
  "spiffe://example.com/user/alice",
  "spiffe://dev_1.example.com/ns/team-a/sa/Build.er",
]);

export function rule(place: Place, changes: Spec = {}): Spec {
  return {
    name: "ssh-connect",
    match: [{ authority: { regex: "[^:]+:22" }, headers: { [certificate]: { regex: ownIdentities } } }],
    retries: { attempts: 0 },
    route: [{ destination: { host: ownService(place), port: { number: 22 } } }],
    ...changes,
  };
}

export const many = <T>(times: number, make: (index: number) => T) =>
  Array.from({ length: times }, (_, i) => make(i));
