/**
 * How much a team may take of what all teams share. Every port of its Services stands in the memory of every gateway; with
 * PILOT_FILTER_GATEWAY_CLUSTER_CONFIG in istiod, of every gateway that a route to the Service names.
 */

/** The most that one object of a team's may hold. */
export const most = {
  /** Containers of a pod: the kubelet writes some 600 bytes about each into its status. */
  containers: 32,
  /** Bytes of a Service's labels, which each of its EndpointSlices repeats: one for each pod, if their ports differ. */
  serviceLabelBytes: 1024,
  /** HTTP rules of a route: ports of a container that are reached through the gateway. */
  rules: 8,
  /** Ports of a Service. */
  servicePorts: 16,
} as const;

/** Kinds of which a container has one. */
const one = "75";
/** Those of which it has up to four. */
const several = "300";
/** Kinds of which one is kept for each version of a workload: the newest and, by Kubernetes' own default, ten old ones. */
const versions = "825";

/** The most objects of each kind that a team's deployer may make, where the namespace's quota does not say otherwise. */
export const defaultQuota: Readonly<Record<string, string>> = {
  services: one,
  // Ports of all nodes, of which the cluster has 2768; a LoadBalancer takes them too.
  "services.nodeports": "0",
  "services.loadbalancers": "0",
  // Each stands in the gateways' memory, with some 4 KiB, for every port of every Service that leads to it.
  pods: "100",
  // Finished ones too, which stay until their Job goes: the cluster keeps 12500 before it deletes the oldest of all teams.
  "count/pods": "400",
  // Each is looked at in every round of the culler, and has a listener of the activator's.
  "count/statefulsets.apps": one,
  "count/deployments.apps": one,
  "count/daemonsets.apps": one,
  "count/cronjobs.batch": one,
  "count/jobs.batch": several,
  "count/replicasets.apps": versions,
  "count/controllerrevisions.apps": versions,
  "count/replicationcontrollers": one,
  "count/podtemplates": one,
  configmaps: several,
  secrets: several,
  persistentvolumeclaims: several,
  "count/resourcequotas": one,
  "count/limitranges": one,
  // Kinds that no deployer makes, but everybody with Kubernetes' own roles `edit` and `admin`.
  "count/serviceaccounts": one,
  "count/leases.coordination.k8s.io": one,
  "count/horizontalpodautoscalers.autoscaling": one,
  "count/ingresses.networking.k8s.io": one,
  "count/networkpolicies.networking.k8s.io": several,
  "count/poddisruptionbudgets.policy": several,
  "count/roles.rbac.authorization.k8s.io": several,
  "count/rolebindings.rbac.authorization.k8s.io": several,
  "count/virtualservices.networking.istio.io": one,
  "count/destinationrules.networking.istio.io": one,
  "count/serviceentries.networking.istio.io": one,
};

/** The most that a team's objects take in etcd, where the Team says nothing else: a quarter of what etcd takes by default. */
export const defaultEtcdSize = "512Mi";
