import type { LabelOperator, NodeOperator } from "@drawbridge-iac/manifests";

/** What pods want near them, and what not, as in a pod's specification. */
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
  /** What a node must have. */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelectorArgs;
  /** What a node should have. */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredNodeArgs[];
}

/** Nodes to which one of several terms applies. */
export interface NodeSelectorArgs {
  /**
   * A node that meets any one of them will do.
   * @example [{ matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["a", "b"] }] }]
   */
  nodeSelectorTerms: NodeSelectorTermArgs[];
}

/** Nodes that meet all of its expressions. */
export interface NodeSelectorTermArgs {
  /** What the node's labels have to be. */
  matchExpressions: NodeExpressionArgs[];
}

/** What one label of a node has to be. */
export interface NodeExpressionArgs {
  /**
   * The label.
   * @example "topology.kubernetes.io/zone"
   */
  key: string;
  /** How it is compared. */
  operator: NodeOperator;
  /**
   * What it is compared with; one whole number for `Gt` and `Lt`.
   * @default - none, as `Exists` and `DoesNotExist` want it
   */
  values?: string[];
}

/** A term that speaks for a node. */
export interface PreferredNodeArgs {
  /** How much it speaks for it, from 1 to 100. */
  weight: number;
  /** What the node should have. */
  preference: NodeSelectorTermArgs;
}

/** Other pods, by their labels. */
export interface PodAffinityArgs {
  /** What must hold. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTermArgs[];
  /** What should hold. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTermArgs[];
}

/** Pods in the same place. */
export interface PodAffinityTermArgs {
  /** Which pods. */
  labelSelector?: LabelSelectorArgs;
  /**
   * The namespaces they are in.
   * @default - the pod's own
   */
  namespaces?: string[];
  /** The same by the namespaces' labels. */
  namespaceSelector?: LabelSelectorArgs;
  /**
   * The node's label whose values are the places.
   * @example "kubernetes.io/hostname"
   */
  topologyKey: string;
}

/** A term that speaks for a place. */
export interface WeightedPodAffinityTermArgs {
  /** How much it speaks for it, from 1 to 100. */
  weight: number;
  /** What should hold there. */
  podAffinityTerm: PodAffinityTermArgs;
}

/** Pods or namespaces, by their labels; all of it has to hold. */
export interface LabelSelectorArgs {
  /**
   * Labels with these values.
   * @example { app: "trainer" }
   */
  matchLabels?: Record<string, string>;
  /** Labels compared in other ways. */
  matchExpressions?: LabelExpressionArgs[];
}

/** What one label has to be. */
export interface LabelExpressionArgs {
  /** The label. */
  key: string;
  /** How it is compared. */
  operator: LabelOperator;
  /**
   * What it is compared with.
   * @default - none, as `Exists` and `DoesNotExist` want it
   */
  values?: string[];
}
