/** The routes of `route-attacks.ts`, as a deployer would write them on the storages' gateway. */

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
/** Stands for any place: what every attack is called and how it is refused is the same everywhere. */
const placeholders = namesOf({
  gateway: { ...blank, domain: "NAME" },
  proxy: { ...blank, dnsName: "NAME" },
  team: "NAME",
  victim: "NAME",
  bystander: "NAME",
});

const routeAt = (place: Place, change: RouteChange = {}) =>
  storageRoute(namesOf(place), change) as unknown as ApiObject;

/** Matches the API server's refusal with any names in it. */
const refusalPattern = (reason: string) =>
  new RegExp(reason.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("NAME", "\\S+"));

export const storageRouteAttacks: readonly Attack[] = routeAttacks(placeholders).map(
  ([what, , reason], index) => ({
    of: "proxy",
    policy: "",
    who: "deployer",
    name: `a storage's route with ${what}`,
    refusal: refusalPattern(reason),
    object: (place) => routeAt(place, routeAttacks(namesOf(place))[index]?.[1]),
    twin: (place) => routeAt(place),
  }),
);

/** Each route that stays allowed: its name, and what makes it for a place. */
export const acceptedStorageRoutes = acceptedRoutes(placeholders).map(
  ([what], index) =>
    [what, (place: Place) => routeAt(place, acceptedRoutes(namesOf(place))[index]?.[1])] as const,
);
