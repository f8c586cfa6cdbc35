/** The routes of `route-attacks.ts`, as a deployer writes them on the storages' gateway. */

import type { ApiObject } from "./api-user.ts";
import type { Attack, Place } from "./attack.ts";
import { acceptedRoutes, type RouteChange, routeAttacks, storageRoute } from "./route-attacks.ts";

const namesOf = ({ proxy, victim, team }: Place) => ({
  gateway: { name: proxy.name, namespace: proxy.namespace },
  host: proxy.dnsName,
  team: victim,
  other: team,
});

const blank = { name: "NAME", namespace: "NAME" };
const anywhere = namesOf({
  gateway: { ...blank, domain: "NAME" },
  proxy: { ...blank, dnsName: "NAME" },
  team: "NAME",
  victim: "NAME",
  bystander: "NAME",
});

const written = (place: Place, change: RouteChange = {}) =>
  storageRoute(namesOf(place), change) as unknown as ApiObject;

/** The API server's words, whatever names stand in them. */
const worded = (reason: string) =>
  new RegExp(reason.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("NAME", "\\S+"));

export const storageRouteAttacks: readonly Attack[] = routeAttacks(anywhere).map(
  ([what, , reason], index) => ({
    of: "proxy",
    policy: "",
    who: "deployer",
    name: `a storage's route with ${what}`,
    refusal: worded(reason),
    object: (place) => written(place, routeAttacks(namesOf(place))[index]?.[1]),
    twin: (place) => written(place),
  }),
);

/** Names of what stays allowed, and the route. */
export const acceptedStorageRoutes = acceptedRoutes(anywhere).map(
  ([what], index) =>
    [what, (place: Place) => written(place, acceptedRoutes(namesOf(place))[index]?.[1])] as const,
);
