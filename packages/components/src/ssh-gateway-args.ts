import type { ImagePullPolicy, LoadBalancerPreset, LoadBalancerScope } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link SshGateway}. */
export interface SshGatewayArgs {
  /**
   * Name of the gateway's objects in Kubernetes.
   * @default the component's logical name
   */
  name?: string;
  /**
   * The gateway's own namespace, which must not be Istio's root namespace: an EnvoyFilter there is pushed to
   * every proxy of the mesh.
   * @default the gateway's name
   */
  namespace?: string;
  /**
   * Whether to create that namespace, with Pod Security "restricted" enforced.
   * @default true
   */
  createNamespace?: boolean;
  /**
   * The domain under which containers are reached: `<container>.<namespace>.<domain>`. It needs no public DNS
   * record of its own; clients hand the name to the gateway.
   * @example "dev.example.com"
   */
  domain: string;
  /**
   * The ports on which the gateway answers CONNECT.
   * @default `{ plain: { port: 80 } }`
   */
  listeners?: SshGatewayListenersArgs;
  /** The gateway's own LoadBalancer. */
  loadBalancer?: SshGatewayLoadBalancerArgs;
  /**
   * How many proxies run. Sessions on one are not moved to another when it stops.
   * @default 2
   */
  replicas?: number;
  /**
   * Seconds for which a stopping proxy, or one whose listener changed, keeps its open sessions.
   * @default 3600
   */
  drainSeconds?: number;
  /**
   * The proxy's image; `auto` lets Istio's injection choose the one of its own version.
   * @default "auto"
   */
  image?: string;
  /**
   * When the node pulls the image.
   * @default "IfNotPresent"
   */
  imagePullPolicy?: ImagePullPolicy;
  /**
   * The Istio revision whose control plane manages the gateway.
   * @default - the cluster's default revision
   */
  istioRevision?: string;
  /**
   * CPU and memory of one proxy. An idle session costs about 36 KiB.
   * @default requests of 100m CPU and 256Mi, a limit of 1Gi memory
   */
  resources?: ResourcesArgs;
  /**
   * Whether to install the admission policy that keeps a namespace from claiming another's names. It needs
   * the right to create cluster-wide objects.
   * @default true
   */
  admissionPolicy?: boolean;
}

/** The ports of an {@link SshGateway}. */
export interface SshGatewayListenersArgs {
  /** CONNECT in clear text. What it carries, SSH, is encrypted; the container's name is not. */
  plain?: SshGatewayPlainListenerArgs;
}

/** A CONNECT port in clear text. */
export interface SshGatewayPlainListenerArgs {
  /**
   * TCP port on the LoadBalancer and in the proxy.
   * @default 80
   */
  port?: number;
}

/** The LoadBalancer of an {@link SshGateway}. It must work on layer 4; an HTTP one does not pass CONNECT. */
export interface SshGatewayLoadBalancerArgs {
  /**
   * Whose LoadBalancer it is: decides the annotations.
   * @default "generic"
   */
  preset?: LoadBalancerPreset;
  /**
   * Whether it is reachable only inside the private network.
   * @default "internal"
   */
  scope?: LoadBalancerScope;
  /** Further annotations; they win over the preset's. */
  annotations?: Record<string, string>;
  /**
   * Networks in CIDR notation whose clients may connect.
   * @default - any
   */
  sourceRanges?: string[];
  /** A fixed address, where the cloud supports one. */
  address?: pulumi.Input<string>;
  /** `spec.loadBalancerClass`, where more than one controller is installed. */
  className?: string;
}

/** Compute resources, as in a pod's specification. */
export interface ResourcesArgs {
  /** What the scheduler sets aside, by resource name. */
  requests?: Record<string, string>;
  /** What the container may use at most, by resource name. */
  limits?: Record<string, string>;
}

/** What a container must know of its gateway. Plain names, so a team can be previewed before it exists. */
export interface SshGatewayRefArgs {
  /** The gateway's name. */
  name: string;
  /** The gateway's namespace. */
  namespace: string;
  /** The gateway's domain. */
  domain: string;
  /** Port of its plain listener, if it has one. */
  plainPort?: number;
  /** Host name or address of its LoadBalancer, for the client's text. */
  address?: pulumi.Input<string>;
}
