import type * as pulumi from "@pulumi/pulumi";

/** Labels and annotations of one's own on a component's pods. */
export interface PodMetadataArgs {
  /**
   * Further labels of the pods: for queues, costs, a cloud's identities. Those by which drawbridge finds its pods, and
   * Istio's, are refused. A change restarts the pods.
   * @example { "kueue.x-k8s.io/queue-name": "team-a" }
   */
  podLabels?: Record<string, pulumi.Input<string>>;
  /** Further annotations of the pods. A change restarts the pods. */
  podAnnotations?: Record<string, pulumi.Input<string>>;
}
