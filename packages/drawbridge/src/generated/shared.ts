// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.

import type * as pulumi from "@pulumi/pulumi";
import type {
  IpFamily,
  LabelOperator,
  LoadBalancerPreset,
  LoadBalancerScope,
  NodeOperator,
  SshWayKind,
  TaintEffect,
  UnsatisfiableSpread,
} from "../lists.ts";

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

/** People as the cluster's authentication names them. */
export interface SubjectsArgs {
  /** Names of users. */
  users?: pulumi.Input<pulumi.Input<string>[]>;
  /** Names of groups. */
  groups?: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * Limits for each client address (for IPv6, each network of 64 bits). Behind a LoadBalancer that hides its clients'
 * addresses all clients are one: have it keep the addresses, or raise the limits.
 */
export interface ClientLimitsArgs {
  /**
   * Connections to whichever container, those that are refused for another reason among them.
   * @default 300 a minute, 300 at once
   */
  perClient?: RateArgs;
  /**
   * Connections to one container. Beyond a third of the burst a gateway slows a client down, so that a loop stays below
   * the limit; an FrpServer lets it wait for its turn, up to a minute. Sized so that one address cannot use up the
   * connections that the container's sshd keeps waiting for their login (`ssh.maxStartups`): proxies × listeners ×
   * (burst + connectionsPerMinute × loginGraceSeconds / 60), and the same once more for frp, must stay below half of
   * that.
   * @default at a gateway 20 a minute, 30 at once; at an FrpServer 30 a minute, 4 at once
   */
  perClientAndContainer?: RateArgs;
}

/** A rate with a burst: a bucket that is full at first and refilled evenly. */
export interface RateArgs {
  /** New connections per minute in the long run. */
  connectionsPerMinute?: number;
  /** New connections at once, as when everybody in an office behind one address comes back after a break. */
  burst?: number;
}

/** A LoadBalancer. It must work on layer 4; an HTTP one does not pass CONNECT. */
export interface LoadBalancerArgs {
  /**
   * Whose LoadBalancer it is: decides the annotations. `generic` sets none, for a cluster of one's own, such as kind;
   * on AWS, Google Cloud and Azure it would make the address public.
   * @example "gke"
   */
  preset: LoadBalancerPreset;
  /**
   * Whether it is reachable only inside the private network. `generic` and `metallb` leave that to the cluster.
   * @default "internal"
   */
  scope?: LoadBalancerScope;
  /** Further annotations; they win over the preset's. */
  annotations?: Record<string, pulumi.Input<string>>;
  /** Networks in CIDR notation whose clients may connect. @default - any */
  sourceRanges?: pulumi.Input<pulumi.Input<string>[]>;
  /** IP families of the LoadBalancer; two ask for both. @default - the cluster's */
  ipFamilies?: IpFamily[];
  /** A fixed address, where the cloud supports one. */
  address?: pulumi.Input<string>;
  /** `spec.loadBalancerClass`, where more than one controller is installed. */
  className?: pulumi.Input<string>;
}

/**
 * CPU and memory of one program. The short form sets both sides, the long form each; a resource given in both is
 * refused. A resource that is not given keeps its default on both sides.
 */
export interface ResourcesArgs {
  /**
   * CPU that is set aside and also the most it gets. For more than that while the node has it to spare, give
   * `requests.cpu` alone.
   * @example "500m"
   */
  cpu?: pulumi.Input<string>;
  /** Memory that is set aside and also the limit. @example "2Gi" */
  memory?: pulumi.Input<string>;
  /** What the scheduler sets aside, by resource name. @example { cpu: "1" } */
  requests?: Record<string, pulumi.Input<string>>;
  /** What the program may use at most, by resource name. @example { cpu: "4" } */
  limits?: Record<string, pulumi.Input<string>>;
}

/** Which nodes pods run on, in the words of a pod's specification. */
export interface SchedulingArgs {
  /** Labels the node must have. @example { "topology.kubernetes.io/zone": "eu-central-1a" } */
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
  /** The taint's value. @default - any */
  value?: string;
  /** The taint's effect. @default - any */
  effect?: TaintEffect;
}

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
  /** The label. @example "topology.kubernetes.io/zone" */
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
  /** The namespaces they are in. @default - the pod's own */
  namespaces?: string[];
  /** The same by the namespaces' labels. */
  namespaceSelector?: LabelSelectorArgs;
  /** The node's label whose values are the places. @example "kubernetes.io/hostname" */
  topologyKey: string;
}

/** Pods or namespaces, by their labels; all of it has to hold. */
export interface LabelSelectorArgs {
  /** Labels with these values. @example { app: "trainer" } */
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
  /** What it is compared with. @default - none, as `Exists` and `DoesNotExist` want it */
  values?: string[];
}

/** A term that speaks for a place. */
export interface WeightedPodAffinityTermArgs {
  /** How much it speaks for it, from 1 to 100. */
  weight: number;
  /** What should hold there. */
  podAffinityTerm: PodAffinityTermArgs;
}

/** How evenly pods lie over nodes, zones or whatever a node's label names. */
export interface TopologySpreadConstraintArgs {
  /** By how many pods one place may be ahead of another. @default 1 */
  maxSkew?: number;
  /** The node's label whose values are the places. @example "topology.kubernetes.io/zone" */
  topologyKey: string;
  /** Whether a pod that would lie too unevenly waits, or runs all the same. @default "ScheduleAnyway" */
  whenUnsatisfiable?: UnsatisfiableSpread;
  /** Which pods are counted. @default - the component's own */
  labelSelector?: LabelSelectorArgs;
}

/** A ServiceAccount. */
export interface ServiceAccountSubjectArgs {
  /** Its name. */
  name: pulumi.Input<string>;
  /** Its namespace. */
  namespace: pulumi.Input<string>;
}

/** What the `drawbridge` command needs to know to log in to one container. It holds no secret. */
export interface SshTarget {
  /** Marks it among a stack's outputs. */
  kind: string;
  /** The container's name. */
  name: string;
  /** Its namespace. */
  namespace: string;
  /** Who logs in. */
  user: string;
  /** The name under which the host key is known, and which the gateway routes by. */
  hostName: string;
  /** Port of its sshd. */
  port: number;
  /** The host's public keys: one, or two while a key is rotated. */
  hostKeys: string[];
  /** The ways in, in the order in which they are tried. */
  ways: SshWay[];
  /** Present and false where the stack has switched the container off. */
  running?: boolean;
  /** Present and true where it sleeps when nobody uses it, so that no pod is no fault. */
  sleeps?: boolean;
  /** The folder that editors open. */
  home: string;
}

/** One way to reach a container. */
export interface SshWay {
  /** By what it leads. */
  way: SshWayKind;
  /** Of `gateway` and `frp`: where it begins. */
  address?: string;
  /** Of `gateway` and `frp`: the port there. */
  port?: number;
  /** Whether that port speaks TLS; with `frp`, for the address. */
  tls?: boolean;
  /** Of `gateway`: the name on the certificate, if not the address. */
  serverName?: string;
  /** Of `gateway`: whether the port asks for a client certificate. */
  mutual?: boolean;
  /** Of `frp`: the name that frps knows. */
  hostName?: string;
  /** Of `sshpod`: the pod's name. */
  pod?: string;
  /** Of `sshpod`: the pod's namespace. */
  namespace?: string;
}
