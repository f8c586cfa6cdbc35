/**
 * How much a team may take of what all teams share. Each rule and port of its objects stands in the memory
 * of every gateway; which of them it needs, istiod asks only where PILOT_FILTER_GATEWAY_CLUSTER_CONFIG is on.
 */

/** The most that one object of a team's may hold. */
export const most = {
  /** HTTP rules of a route: ports of a container that are reached through the gateway. */
  rules: 8,
  /** Ports of a Service. */
  servicePorts: 32,
} as const;

/** The most objects of each kind, where the namespace's quota does not say otherwise. */
export const defaultQuota: Readonly<Record<string, string>> = {
  services: "150",
  // Each is looked at in every round of the culler, and has a listener of the activator's.
  "count/statefulsets.apps": "150",
  "count/virtualservices.networking.istio.io": "150",
  "count/destinationrules.networking.istio.io": "150",
  "count/serviceentries.networking.istio.io": "150",
};
