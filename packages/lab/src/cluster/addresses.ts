/**
 * The address plan of an instance. It is the same in every instance: each lives in a network namespace of its
 * own, so two instances never meet.
 */
export const addresses = {
  /** The first node's, where every program of the control plane listens. */
  controlPlane: "10.201.0.1",
  apiServerPort: 6443,
  /** Pods; each node has a part of it, see `nodes/plan.ts`. */
  pods: "10.244.0.0/16",
  services: "10.96.0.0/16",
  /** First address of `services`, by Kubernetes' rule the one of the Service `kubernetes`. */
  apiServerService: "10.96.0.1",
  dnsService: "10.96.0.10",
  /** Handed out to Services of type LoadBalancer. */
  loadBalancers: "10.201.1.0/24",
} as const;

/** The first node's name; the name of a further one ends in its number. */
export const nodeName = "lab-node";
export const clusterDomain = "cluster.local";
export const apiServerUrl = `https://${addresses.controlPlane}:${addresses.apiServerPort}`;
