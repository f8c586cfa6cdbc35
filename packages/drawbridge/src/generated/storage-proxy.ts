// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.

import type * as pulumi from "@pulumi/pulumi";
import type { ImagePullPolicy, UrlScheme } from "../lists.ts";
import type { LoadBalancerArgs, PodMetadataArgs, ResourcesArgs, SchedulingArgs } from "./shared.ts";

/** What a storage must know of the proxy. Names alone, so a team can be previewed before it exists. */
export interface StorageProxyRefArgs {
  /** Version of this form, which a component sets. @default - values written by hand have none */
  version?: number;
  /** The proxy's name. */
  name: pulumi.Input<string>;
  /** The proxy's namespace. */
  namespace: pulumi.Input<string>;
  /** How browsers speak to it. @default "http" */
  scheme?: pulumi.Input<UrlScheme>;
  /** Port of its LoadBalancer. @default 80 */
  port?: pulumi.Input<number>;
  /** Its DNS name, if it has one. */
  dnsName?: pulumi.Input<string>;
  /** Host name or address of its LoadBalancer, for the address of a storage. */
  address?: pulumi.Input<string>;
}

/** What a storage must know of the proxy. Names alone, so a team can be previewed before it exists. */
export interface StorageProxyRef extends pulumi.Unwrap<StorageProxyRefArgs> {}

/** Arguments of {@link StorageProxy}. */
export interface StorageProxyArgs extends PodMetadataArgs {
  /** Name of the proxy's objects in Kubernetes. @default the component's logical name */
  name?: string;
  /** The proxy's own namespace, by which the storages' NetworkPolicies know it. @default the proxy's name */
  namespace?: pulumi.Input<string>;
  /** Whether to create that namespace, with Pod Security "restricted" enforced. @default true */
  createNamespace?: boolean;
  /**
   * DNS name of the LoadBalancer, announced to external-dns and part of the addresses; requests for other names are
   * then refused.
   * @default - the LoadBalancer's own, and any name is answered
   * @example "files.example.com"
   */
  dnsName?: string;
  /** TCP port on the LoadBalancer and in the proxy. @default 80, with tls 443 */
  port?: number;
  /** Serves HTTPS. Without it, passwords cross the network in clear text. */
  tls?: StorageProxyTlsArgs;
  /** The proxy's own LoadBalancer. */
  loadBalancer: LoadBalancerArgs;
  /** How many proxies run. @default 2 */
  replicas?: number;
  /** Seconds a stopping proxy keeps its downloads. A pod that stops takes this long. @default 60 */
  drainSeconds?: number;
  /** The proxy's image, with `/usr/local/bin/envoy` in it. @default - Envoy's own release */
  image?: pulumi.Input<string>;
  /** When the node pulls the image. @default "IfNotPresent" */
  imagePullPolicy?: ImagePullPolicy;
  /** CPU and memory of one proxy. @default requests of 100m CPU and 128Mi memory, a limit of 512Mi memory */
  resources?: ResourcesArgs;
  /** Which nodes the proxies run on. */
  scheduling?: SchedulingArgs;
  /** What the proxy's pods may reach besides accessors, where DNS is not in its usual place. */
  egress?: StorageProxyEgressArgs;
}

/** The proxy's certificate. */
export interface StorageProxyTlsArgs {
  /** Name of a `kubernetes.io/tls` Secret in the proxy's namespace; a renewed one is taken up without a restart. */
  secretName: pulumi.Input<string>;
}

/**
 * Further networks that a proxy's pods may reach, in CIDR notation. Each opens these ports of its hosts to the proxy.
 */
export interface StorageProxyEgressArgs {
  /**
   * Where DNS answers, on port 53, besides the pods `k8s-app: kube-dns` in `kube-system` and NodeLocal DNSCache.
   * @default - none
   * @example ["10.0.0.10/32"]
   */
  dns?: pulumi.Input<string>[];
}
