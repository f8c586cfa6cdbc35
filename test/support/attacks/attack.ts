/** An attack on the policies: an object that the API server must refuse, beside one that it must accept. */
import type { ApiObject } from "./api-user.ts";

/** Where an attack happens. */
export interface Place {
  readonly gateway: { readonly name: string; readonly namespace: string; readonly domain: string };
  /** The neighbour's own namespace, marked as a team's. */
  readonly team: string;
  /** Another team's, with a container `box`. */
  readonly victim: string;
  /** A namespace of someone who does not use drawbridge. */
  readonly bystander: string;
}

/** Of the gateway's pods, as their platform gave them. */
export const ownPodLabels = { "example.com/costs": "shared" };

/**
 * The accounts that write. Those from `node` on are parts of the control plane, with as few rights as theirs: some may only
 * patch, others only update.
 */
export const everybody = [
  // Exactly the deployer's role.
  "deployer",
  // Everything in the team's namespace.
  "owner",
  // Everything in the bystander's namespace.
  "bystander",
  // Istio's objects in the gateway's namespace.
  "gateway",
  // Everything everywhere.
  "platform",
  // A kubelet: makes pods of its files, and writes their status.
  "node",
  // A workload's controller: makes pods, and binds them to nodes as that of DaemonSets may.
  "workloads",
  // The collector of lost pods.
  "collector",
  // The writer of EndpointSlices.
  "slicer",
  // The counter of quotas.
  "counter",
  // The remover of a namespace's objects.
  "remover",
  // A program that labels Services everywhere.
  "keeper",
] as const;
export type Who = (typeof everybody)[number];

/** An object that must be refused, as a new one and as a change of its twin. */
export interface Attack {
  readonly name: string;
  /** The end of the name of the policy that refuses it. */
  readonly policy: string;
  /** Of a kind that a lab has not installed: tried on a bare API server alone. */
  readonly bare?: true;
  /** Whether it is tried as a new object alone: its kind is refused as a whole, or cannot be changed in this. */
  readonly newAlone?: true;
  /** The account that tries, with the fewest rights with which it would otherwise work. */
  readonly who: Who;
  readonly object: (place: Place) => ApiObject;
  /** What the API server says, as its policy words it. */
  readonly refusal: RegExp;
  /** The same kind of object, which the same person may write. */
  readonly twin: (place: Place) => ApiObject;
}

/** The namespace to which an account writes. */
export function namespaceOf(who: Who, place: Place): string {
  if (who === "bystander") return place.bystander;
  return who === "gateway" ? place.gateway.namespace : place.team;
}

/** A twin under the attack's name, so that an update can turn it into the attack. */
export function named(object: ApiObject, name: string): ApiObject {
  return { ...object, metadata: { ...object.metadata, name } };
}

/** The same attack by several contents. */
export function variants<T>(
  of: Omit<Attack, "name" | "object"> & {
    readonly name: string;
    readonly make: (place: Place, variant: T) => ApiObject;
  },
  each: Readonly<Record<string, T | ((place: Place) => T)>>,
): Attack[] {
  const { make, name, ...rest } = of;
  return Object.entries(each).map(([variant, value]) => ({
    ...rest,
    name: `${name}: ${variant}`,
    object: (place) =>
      make(place, typeof value === "function" ? (value as (place: Place) => T)(place) : value),
  }));
}
