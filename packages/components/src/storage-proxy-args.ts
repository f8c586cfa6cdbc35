import type { ImagePullPolicy, StorageProxyMode, UrlScheme } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";
import type { ResourcesArgs, SshGatewayLoadBalancerArgs } from "./ssh-gateway-args.ts";

/** Arguments of {@link StorageProxy}. */
export interface StorageProxyArgs {
  /**
   * Name of the proxy's objects in Kubernetes.
   * @default the component's logical name
   */
  name?: string;
  /**
   * The proxy's own namespace, by which the storages' NetworkPolicies know it.
   * @default the proxy's name
   */
  namespace?: string;
  /**
   * Whether to create that namespace, with Pod Security "restricted" enforced.
   * @default true
   */
  createNamespace?: boolean;
  /**
   * Who routes: `standalone` is a stock Envoy that needs nothing but DNS and finds every storage by its path;
   * `istio` is a gateway managed by Istio with one VirtualService for each storage.
   * @default "standalone"
   */
  mode?: StorageProxyMode;
  /**
   * Host name in the addresses; requests for other names are then refused.
   * @default - the LoadBalancer's own, and any name is answered
   * @example "files.example.com"
   */
  host?: string;
  /**
   * TCP port on the LoadBalancer and in the proxy.
   * @default 80, with tls 443
   */
  port?: number;
  /** Serves HTTPS. Without it, passwords cross the network in clear text. */
  tls?: StorageProxyTlsArgs;
  /** The proxy's own LoadBalancer. */
  loadBalancer?: SshGatewayLoadBalancerArgs;
  /**
   * How many proxies run.
   * @default 2
   */
  replicas?: number;
  /**
   * Seconds a stopping proxy keeps its downloads. A pod that stops takes this long.
   * @default 60
   */
  drainSeconds?: number;
  /**
   * The proxy's image, with `/usr/local/bin/envoy` in it.
   * @default - Envoy's own release; with `istio` the one that Istio injects
   */
  image?: string;
  /**
   * When the node pulls the image.
   * @default "IfNotPresent"
   */
  imagePullPolicy?: ImagePullPolicy;
  /**
   * With `istio`: the revision whose control plane manages the gateway.
   * @default - the cluster's default revision
   */
  istioRevision?: string;
  /**
   * CPU and memory of one proxy.
   * @default requests of 100m CPU and 128Mi, a limit of 512Mi memory
   */
  resources?: ResourcesArgs;
}

/** The proxy's certificate. */
export interface StorageProxyTlsArgs {
  /** Name of a `kubernetes.io/tls` Secret in the proxy's namespace; a renewed one is taken up without a restart. */
  secretName: string;
}

/** What a storage must know of the proxy. Plain names, so a team can be previewed before it exists. */
export interface StorageProxyRefArgs {
  /** The proxy's name. */
  name: string;
  /** The proxy's namespace. */
  namespace: string;
  /**
   * Who routes.
   * @default "standalone"
   */
  mode?: StorageProxyMode;
  /**
   * How browsers speak to it.
   * @default "http"
   */
  scheme?: UrlScheme;
  /**
   * Port of its LoadBalancer.
   * @default 80
   */
  port?: number;
  /** Its host name, if it has one. */
  host?: string;
  /** Host name or address of its LoadBalancer, for the address of a storage. */
  address?: pulumi.Input<string>;
}
