// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.

import type * as pulumi from "@pulumi/pulumi";
import type { ImagePullPolicy } from "../lists.ts";
import type {
  ClientLimitsArgs,
  LoadBalancerArgs,
  PodMetadataArgs,
  ResourcesArgs,
  SchedulingArgs,
} from "./shared.ts";

/** What a container must know of its FrpServer: names alone, so a team can be previewed before it exists. */
export interface FrpServerRefArgs {
  /** Version of this form, which a component sets. @default - values written by hand have none */
  version?: number;
  /** Host name or address of frps, for frpc. */
  serverAddr: pulumi.Input<string>;
  /** Its port for frpc. @default 7000 */
  serverPort?: pulumi.Input<number>;
  /** The name that its certificate holds. @default `serverAddr` */
  serverName?: pulumi.Input<string>;
  /** The CA of its certificate, in PEM. */
  caBundle: pulumi.Input<string>;
  /**
   * Where ssh clients reach it: the host name that it was given. The address that a LoadBalancer gets is in the
   * server's output `connectAddress`.
   */
  connectAddress?: pulumi.Input<string>;
  /** Its CONNECT port. @default 1337 */
  connectPort?: pulumi.Input<number>;
  /** Whether that port speaks TLS. @default false */
  connectTls?: pulumi.Input<boolean>;
  /** The domain of the containers' names. */
  domain: pulumi.Input<string>;
  /** What checks tokens: the service account of the FrpServer's authorizer. */
  authorizer: FrpServerAuthorizerRefArgs;
}

/** What a container must know of its FrpServer: names alone, so a team can be previewed before it exists. */
export interface FrpServerRef extends pulumi.Unwrap<FrpServerRefArgs> {}

/** The service account that may read the hash of the container's token. */
export interface FrpServerAuthorizerRefArgs {
  /** Its namespace. */
  namespace: pulumi.Input<string>;
  /** Its name, which is the FrpServer's. */
  serviceAccountName: pulumi.Input<string>;
}

/** The service account that may read the hash of the container's token. */
export interface FrpServerAuthorizerRef extends pulumi.Unwrap<FrpServerAuthorizerRefArgs> {}

/** Arguments of {@link FrpServer}. */
export interface FrpServerArgs extends PodMetadataArgs {
  /** Name of the server's objects in Kubernetes. @default the component's logical name */
  name?: string;
  /**
   * The server's own namespace: anyone who can read its Secrets could pose as the server.
   * @default the server's name
   */
  namespace?: pulumi.Input<string>;
  /** Whether to create that namespace, with Pod Security "restricted" enforced. @default true */
  createNamespace?: boolean;
  /**
   * Containers are called `<name>.<namespace>.<domain>`. It needs no public DNS record of its own; clients hand the
   * name to frps.
   * @example "ssh.example.com"
   */
  domain: pulumi.Input<string>;
  /**
   * A secret of the stack, at least 32 characters, from which frps's CA, its certificate and the password of its
   * metrics are derived.
   */
  seed: pulumi.Input<string>;
  /** Port for frpc, inside the cluster. @default 7000 */
  serverPort?: number;
  /** Port for ssh clients, on the LoadBalancer. @default 1337 */
  connectPort?: number;
  /**
   * Whether the LoadBalancer has the port for frpc too, for containers in other clusters. Name them in `containers`.
   * @default false
   */
  exposeServerPort?: boolean;
  /**
   * A certificate of your own, for example one that cert-manager renews. frps reads it at start, so restart the
   * Deployment after a renewal.
   * @default - a certificate for 30 years from a CA for this server alone, both derived from `seed`
   */
  tls?: FrpServerTlsArgs;
  /**
   * TLS in front of the CONNECT port, which hides the containers' names on the way. An Istio gateway that the cluster
   * has ends it; ssh clients then have no other address, and only that gateway reaches the CONNECT port.
   * @default - the CONNECT port is in clear text, on a LoadBalancer of its own
   */
  connectTls?: FrpServerConnectTlsArgs;
  /** The LoadBalancer for ssh clients, and for frpc with `exposeServerPort`. Needed unless there is none. */
  loadBalancer?: LoadBalancerArgs;
  /** What the platform says of single containers. The others need not be named. */
  containers?: FrpServerContainerArgs[];
  /**
   * How many connections one client address may open. A client that is over waits for its turn, or is disconnected if
   * that is more than a minute away: the authorizer refuses, and frps has no answer for that. Not with `connectTls`,
   * where frps sees the gateway's address alone.
   */
  connectionLimits?: ClientLimitsArgs;
  /** What the server's pod may reach. */
  egress: FrpServerEgressArgs;
  /**
   * Namespaces whose pods may reach the metrics of frps (port 7500, with a password) and of the authorizer (7502).
   * @default - none
   */
  metricsNamespaces?: pulumi.Input<string>[];
  /** The image of frps, version 0.70.1 or later. @default "fatedier/frps:v0.70.1" */
  image?: pulumi.Input<string>;
  /** The program beside frps that decides which container may register which name. */
  authorizer: FrpServerAuthorizerArgs;
  /** When the node pulls the images. @default "IfNotPresent" */
  imagePullPolicy?: ImagePullPolicy;
  /** CPU and memory of frps. @default requests of 100m CPU and 64Mi memory, a limit of 512Mi memory */
  resources?: ResourcesArgs;
  /** Which nodes the pod runs on. */
  scheduling?: SchedulingArgs;
  /** Whether `pulumi up` waits until frps is ready. @default true */
  wait?: boolean;
}

/** A certificate of your own. */
export interface FrpServerTlsArgs {
  /** Secret with `tls.crt` and `tls.key` in the server's namespace. It must hold the name of the server's Service. */
  secretName: pulumi.Input<string>;
  /** The CA that signed it, in PEM. */
  caBundle: pulumi.Input<string>;
}

/** A listener of an Istio gateway for ssh clients. */
export interface FrpServerConnectTlsArgs {
  /**
   * Name on the certificate, by which ssh clients reach the gateway: it needs a DNS record to the gateway's address.
   * @example "frp.example.com"
   */
  dnsName: string;
  /** Port of the gateway. It may be that of the gateway's web sites, since TLS clients send the name. @default 443 */
  port?: number;
  /** TLS Secret in the gateway's namespace, such as one of cert-manager's. */
  secretName: pulumi.Input<string>;
  /** The gateway, which somebody runs already. */
  gateway: FrpServerConnectGatewayArgs;
}

/** An Istio gateway of the cluster. */
export interface FrpServerConnectGatewayArgs {
  /** The namespace of its pods. */
  namespace: pulumi.Input<string>;
  /** Labels of its pods. @example { istio: "ingressgateway" } */
  selector: Record<string, string>;
}

/** What the platform says of one container. */
export interface FrpServerContainerArgs {
  /** The container's namespace. */
  namespace: pulumi.Input<string>;
  /** The container's name. */
  name: string;
  /** SHA-256 of its token, for a container in another cluster. @default - looked up in the container's namespace */
  tokenSha256?: string;
  /** Names below the server's domain that are reserved for it, besides its own name. */
  domains?: string[];
  /** Whether it is shut out, whatever its own namespace grants. @default false */
  revoked?: boolean;
}

/** What the pod of frps and authorizer may reach: the API server, and nothing else. */
export interface FrpServerEgressArgs {
  /**
   * Where the API server is, as seen behind its Service (`kubectl get endpoints kubernetes`); an empty list for a
   * server whose containers are all in `containers`. `0.0.0.0/0` lets frps reach ports 443 and 6443 of every address.
   * @example [{ cidr: "192.0.2.10/32" }]
   */
  apiServer: FrpServerApiServerArgs[];
}

/** One network of the API server. */
export interface FrpServerApiServerArgs {
  /** Its addresses in CIDR notation. @example "192.0.2.10/32" */
  cidr: pulumi.Input<string>;
  /** Its TCP ports. @default [443, 6443] */
  ports?: number[];
}

/** The authorizer of a {@link FrpServer}. */
export interface FrpServerAuthorizerArgs {
  /** Its image, built with `packages/images/build.sh programs`. */
  image: pulumi.Input<string>;
  /** Its CPU and memory. @default requests of 10m CPU and 64Mi memory, a limit of 256Mi memory */
  resources?: ResourcesArgs;
}
