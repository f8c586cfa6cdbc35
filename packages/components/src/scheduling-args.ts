import type { TaintEffect, UnsatisfiableSpread } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";
import type { AffinityArgs, LabelSelectorArgs } from "./affinity-args.ts";

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
  labelSelector?: LabelSelectorArgs;
}
