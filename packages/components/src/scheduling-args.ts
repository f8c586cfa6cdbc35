import type { TaintEffect, UnsatisfiableSpread } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";

/** Which nodes pods run on, in the words of a pod's specification. */
export interface SchedulingArgs {
  /**
   * Labels the node must have.
   * @example { "topology.kubernetes.io/zone": "eu-central-1a" }
   */
  nodeSelector?: Record<string, string>;
  /** Taints that do not keep the pods away. */
  tolerations?: TolerationArgs[];
  /** What the pods want near them, and what not. What the component needs itself is added to it. */
  affinity?: AffinityArgs;
  /**
   * How the pods spread over nodes or zones.
   * @default - several proxies of one component keep to nodes of their own where they can
   */
  topologySpreadConstraints?: TopologySpreadConstraintArgs[];
  /** Name of a PriorityClass. */
  priorityClassName?: pulumi.Input<string>;
  /**
   * Name of a RuntimeClass, such as the one that brings a GPU's driver into the container.
   * @default - the cluster's default runtime
   */
  runtimeClassName?: pulumi.Input<string>;
}

/** A node's taint that does not keep pods away. */
export interface TolerationArgs {
  /** The taint's key. */
  key: string;
  /**
   * The taint's value.
   * @default - any
   */
  value?: string;
  /**
   * The taint's effect.
   * @default - any
   */
  effect?: TaintEffect;
}

/** As in a pod; what stands in its terms is checked by the API server. */
export interface AffinityArgs {
  /** Nodes, by their labels: several zones, for example. */
  nodeAffinity?: NodeAffinityArgs;
  /** Pods to be near to. */
  podAffinity?: PodAffinityArgs;
  /** Pods to keep away from. */
  podAntiAffinity?: PodAffinityArgs;
}

/** Nodes that the pods must have, or would rather have. */
export interface NodeAffinityArgs {
  /**
   * What a node must have.
   * @example { nodeSelectorTerms: [{ matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["a", "b"] }] }] }
   */
  requiredDuringSchedulingIgnoredDuringExecution?: Record<string, unknown>;
  /** What a node should have, with weights. */
  preferredDuringSchedulingIgnoredDuringExecution?: Record<string, unknown>[];
}

/** Other pods, by their labels. */
export interface PodAffinityArgs {
  /** What must hold. */
  requiredDuringSchedulingIgnoredDuringExecution?: Record<string, unknown>[];
  /** What should hold, with weights. */
  preferredDuringSchedulingIgnoredDuringExecution?: Record<string, unknown>[];
}

/** How evenly pods lie over nodes, zones or whatever a node's label names. */
export interface TopologySpreadConstraintArgs {
  /**
   * By how many pods one place may be ahead of another.
   * @default 1
   */
  maxSkew?: number;
  /**
   * The node's label whose values are the places.
   * @example "topology.kubernetes.io/zone"
   */
  topologyKey: string;
  /**
   * Whether a pod that would lie too unevenly waits, or runs all the same.
   * @default "ScheduleAnyway"
   */
  whenUnsatisfiable?: UnsatisfiableSpread;
  /**
   * Which pods are counted.
   * @default - the component's own
   */
  labelSelector?: Record<string, unknown>;
}
