/** The routes of `route-attacks.ts`, as a deployer would write them on the storages' gateway. */
import type { ApiObject } from "./api-user.ts";
import type { Attack, Place } from "./attack.ts";
import { acceptedRoutes, type RouteChange, routeAttacks, storageRoute } from "./route-attacks.ts";

const blank = { name: "NAME", namespace: "NAME", domain: "NAME", dnsName: "NAME" };
/** Stands for any place: what every attack is called and how it is refused is the same everywhere. */
const anywhere: Place = { gateway: blank, proxy: blank, team: "NAME", victim: "NAME", bystander: "NAME" };

const routeAt = (place: Place, change?: RouteChange) => storageRoute(place, change) as ApiObject;

/** Matches the API server's refusal with any names in it. */
const refusalPattern = (reason: string) =>
  new RegExp(reason.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("NAME", "\\S+"));

export const storageRouteAttacks: readonly Attack[] = routeAttacks(anywhere).map(
  ([what, , reason], index) => ({
    of: "proxy",
    policy: "",
    who: "deployer",
    name: `a storage's route with ${what}`,
    refusal: refusalPattern(reason),
    object: (place) => routeAt(place, routeAttacks(place)[index]?.[1]),
    twin: (place) => routeAt(place),
  }),
);

/** Each route that stays allowed: its name, and what makes it for a place. */
export const acceptedStorageRoutes = acceptedRoutes(anywhere).map(
  ([what], index) => [what, (place: Place) => routeAt(place, acceptedRoutes(place)[index]?.[1])] as const,
);
