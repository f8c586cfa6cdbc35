// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.

import type * as pulumi from "@pulumi/pulumi";
import type { ImagePullPolicy, IssuerKind } from "../lists.ts";
import type {
  ClientLimitsArgs,
  LoadBalancerArgs,
  PodMetadataArgs,
  ResourcesArgs,
  SchedulingArgs,
} from "./shared.ts";

/** Arguments of {@link SshGateway}. */
export interface SshGatewayArgs extends PodMetadataArgs {
  /** Name of the gateway's objects in Kubernetes. @default the component's logical name */
  name?: string;
  /**
   * The gateway's own namespace, which must not be Istio's root namespace: an EnvoyFilter there is pushed to every
   * proxy of the mesh.
   * @default the gateway's name
   */
  namespace?: pulumi.Input<string>;
  /** Whether to create that namespace, with Pod Security "restricted" enforced. @default true */
  createNamespace?: boolean;
  /**
   * The domain under which containers are reached: `<container>.<namespace>.<domain>`. It needs no public DNS record of
   * its own; clients hand the name to the gateway.
   * @example "dev.example.com"
   */
  domain: pulumi.Input<string>;
  /**
   * DNS name of the LoadBalancer, announced to external-dns and given to clients instead of its address. With a TLS
   * listener it must be below the domain: clients send it, and the listener is chosen by it.
   * @example "ssh.dev.example.com"
   */
  dnsName?: pulumi.Input<string>;
  /** The ports on which the gateway answers CONNECT. @default `{ plain: { port: 80 } }` */
  listeners?: SshGatewayListenersArgs;
  /**
   * Who may use the gateway at all: URI names of client certificates, such as `spiffe://example.com/user/alice`. Needs
   * `listeners.tls.clientCa`. A container may restrict its own tunnel further.
   * @default - everyone with a certificate of the client CA
   */
  allowIdentities?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * How many tunnels one client address may open. A client that comes close is slowed down, one that is over gets 429.
   * Each listener of each proxy counts for itself. An `existing` gateway has no limits of ours.
   */
  connectionLimits?: ClientLimitsArgs;
  /** The gateway's own LoadBalancer. Needed unless the gateway is an `existing` one. */
  loadBalancer?: LoadBalancerArgs;
  /** How many proxies run. Sessions on one are not moved to another when it stops. @default 2 */
  replicas?: number;
  /** Lets the load decide how many proxies run, instead of `replicas`. It needs the metrics server. */
  autoscaling?: SshGatewayAutoscalingArgs;
  /**
   * Seconds for which a proxy whose listener changed, or which is told to stop, keeps its open sessions. It ends them
   * little by little in half as many seconds more; a stopping one ends with its grace period at the latest.
   * @default 3600
   */
  drainSeconds?: number;
  /**
   * Seconds after which a stopping pod ends with what is still open; at least `drainSeconds`, which alone decides how
   * long sessions last. Leave it out.
   * @default drainSeconds + 30
   */
  terminationGracePeriodSeconds?: number;
  /** Whether to refuse bytes that a client sends before its tunnel stands. Needs Istio 1.30 or newer. @default true */
  rejectEarlyConnectData?: boolean;
  /**
   * Whether the proxy logs each CONNECT as JSON lines: when it arrives, when its tunnel stands, when it ends.
   * @default true
   */
  audit?: boolean;
  /** The proxy's image; `auto` lets Istio's injection choose the one of its own version. @default "auto" */
  image?: pulumi.Input<string>;
  /** When the node pulls the image. @default "IfNotPresent" */
  imagePullPolicy?: ImagePullPolicy;
  /** The Istio revision whose control plane manages the gateway. @default - the cluster's default revision */
  istioRevision?: pulumi.Input<string>;
  /**
   * CPU and memory of one proxy. An idle session costs about 36 KiB.
   * @default requests of 100m CPU and 256Mi memory, a limit of 1Gi memory
   */
  resources?: ResourcesArgs;
  /** Which nodes the proxies run on; with `idle` also culler and activator. */
  scheduling?: SchedulingArgs;
  /**
   * Whether to install the admission policies that keep teams apart. They need the right to create cluster-wide
   * objects. `false` lets everybody who may write a VirtualService, in whatever namespace, take other people's names
   * and have this gateway connect to what it likes.
   * @default true
   */
  admissionPolicy?: boolean;
  /**
   * What the gateway's pods may reach besides containers: other pods of teams, hosts outside, and istiod and DNS where
   * they are not in their usual places.
   */
  egress?: SshGatewayEgressArgs;
  /**
   * Lets containers behind this gateway sleep while nobody uses them, and wakes them.
   * @default - none of them sleeps
   */
  idle?: SshGatewayIdleArgs;
  /**
   * Uses a gateway that exists already instead of one of our own: only routes and their filter are added. It shares its
   * LoadBalancer, its drain time (45 s by default) and its time-outs with all other traffic. Its pods get no
   * NetworkPolicy, and its Gateways no admission policy: anyone who may write those for it decides what it does.
   */
  existing?: SshGatewayExistingArgs;
}

/** The ports of an {@link SshGateway}. */
export interface SshGatewayListenersArgs {
  /** CONNECT in clear text. What it carries, SSH, is encrypted; the container's name is not. */
  plain?: SshGatewayPlainListenerArgs;
  /** CONNECT inside TLS, with client certificates if asked. */
  tls?: SshGatewayTlsListenerArgs;
}

/** A CONNECT port in clear text. */
export interface SshGatewayPlainListenerArgs {
  /** TCP port on the LoadBalancer and in the proxy. @default 80 */
  port?: number;
}

/** A CONNECT port inside TLS. */
export interface SshGatewayTlsListenerArgs {
  /** TCP port on the LoadBalancer and in the proxy. @default 443 */
  port?: number;
  /** The server's certificate. */
  certificate: SshGatewayCertificateArgs;
  /** PEM text of the CA whose client certificates are asked for (mutual TLS). */
  clientCa?: pulumi.Input<string>;
}

/** Exactly one of `secretName`, `issuer` and `issuerCaSecretName`. */
export interface SshGatewayCertificateArgs {
  /** A TLS Secret in the gateway's namespace. */
  secretName?: pulumi.Input<string>;
  /** The cert-manager issuer that signs it. cert-manager must be installed. */
  issuer?: SshGatewayIssuerArgs;
  /**
   * A Secret in the gateway's namespace with a CA's certificate and key (`tls.crt`, `tls.key`): an Issuer of the
   * gateway's own signs with it. cert-manager must be installed.
   */
  issuerCaSecretName?: pulumi.Input<string>;
  /** Names in the certificate besides `*.<domain>` and `dnsName`; not with `secretName`. */
  dnsNames?: pulumi.Input<string>[];
  /** PEM text of the CA that signed it, to hand to clients as the gateway's `caBundle` output. */
  caBundle?: pulumi.Input<string>;
}

/** A cert-manager issuer. */
export interface SshGatewayIssuerArgs {
  /** Its name. */
  name: pulumi.Input<string>;
  /** Its kind. @default "ClusterIssuer" */
  kind?: IssuerKind;
}

/** How the number of proxies follows the load. */
export interface SshGatewayAutoscalingArgs {
  /** The fewest proxies that run. @default 2 */
  minReplicas?: number;
  /** The most proxies that may run. */
  maxReplicas: number;
  /** CPU use, in percent of the request, above which another proxy is started. @default 70 */
  targetCPUUtilizationPercentage?: number;
}

/**
 * What else a gateway's pods may reach. Networks are in CIDR notation; each opens these ports of its hosts to the
 * gateway.
 */
export interface SshGatewayEgressArgs {
  /**
   * Where DNS answers, on port 53, besides the pods `k8s-app: kube-dns` in `kube-system` and NodeLocal DNSCache.
   * @example ["10.0.0.10/32"]
   */
  dns?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Where istiod answers, on port 15012 or 443, besides the pods `app: istiod` in `istio-system` (port 15012).
   * @example ["10.1.2.3/32"]
   */
  istiod?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Whether its pods may reach every pod of the teams' namespaces, which an {@link SshRoute} to a workload of somebody
   * else's needs. Without it they reach the pods of containers and of {@link InjectedSshd} alone. Routes lead into
   * their own namespace either way.
   * @default false
   */
  teamPods?: boolean;
  /**
   * Hosts outside of the cluster that its pods may reach: those that a {@link Team} names in its own `outsideHosts`. No
   * other program reaches them by this.
   * @example [{ cidr: "10.20.0.5/32" }]
   */
  outsideHosts?: SshGatewayOutsideHostsArgs[];
  /**
   * Where the API server is, as seen behind its Service (`kubectl get endpoints kubernetes`): culler and activator ask
   * it. Needed with `idle`, and only there.
   * @example [{ cidr: "192.0.2.10/32" }]
   */
  apiServer?: SshGatewayApiServerArgs[];
}

/** A network of hosts outside of the cluster. */
export interface SshGatewayOutsideHostsArgs {
  /** Its addresses in CIDR notation. @example "10.20.0.5/32" */
  cidr: pulumi.Input<string>;
  /** The ports of their sshd. @default [22] */
  ports?: number[];
}

/** One network of the API server. */
export interface SshGatewayApiServerArgs {
  /** Its addresses in CIDR notation. @example "192.0.2.10/32" */
  cidr: pulumi.Input<string>;
  /** Its TCP ports. @default [443, 6443] */
  ports?: number[];
}

/**
 * Lets this gateway's containers sleep and wake: a culler that puts idle ones to sleep, and an activator that answers
 * for them meanwhile. Containers say with their own `idle` whether they sleep.
 */
export interface SshGatewayIdleArgs {
  /** The image of both, built with `packages/images/build.sh programs`. */
  image: pulumi.Input<string>;
  /**
   * CPU and memory of each of their pods: one culler, two activators.
   * @default requests of 20m CPU and 96Mi memory, a limit of 512Mi memory
   */
  resources?: ResourcesArgs;
  /** How often every container is looked at. @default 30 */
  periodSeconds?: number;
  /** How often one container may be woken within an hour. @default 12 */
  wakesPerHour?: number;
  /**
   * Seconds that tell a person from an editor that reconnects by itself: after a container was seen to stop, attempts
   * that follow each other faster do not wake it. `drawbridge wake` always does.
   * @default 60
   */
  wakeQuietSeconds?: number;
  /** A Prometheus that knows the use of GPUs, for containers with `signals.gpuAbovePercent`. */
  gpuMetrics?: SshGatewayGpuMetricsArgs;
}

/** A Prometheus with the metrics of NVIDIA's DCGM exporter. */
export interface SshGatewayGpuMetricsArgs {
  /** Its address, without credentials. @example "http://prometheus.monitoring.svc:9090" */
  prometheus: pulumi.Input<string>;
  /** The namespace of its pods, which the culler may reach and which may scrape culler and activator. */
  namespace: pulumi.Input<string>;
  /**
   * What it is asked; `NAMESPACE` and `POD` stand for the container's own. The answer is one series, in percent.
   * @default - the highest DCGM_FI_DEV_GPU_UTIL of the pod
   */
  query?: string;
}

/** A gateway that somebody else runs. */
export interface SshGatewayExistingArgs {
  /** The namespace of its pods. In Istio's root namespace the filter is pushed to every proxy of the mesh. */
  namespace: pulumi.Input<string>;
  /** Labels of its pods. */
  selector: Record<string, string>;
  /** Host name or address of its LoadBalancer, for the client's text. */
  address?: pulumi.Input<string>;
}

/** What a container must know of its gateway: names alone, so a team can be previewed before it exists. */
export interface SshGatewayRefArgs {
  /** Version of this form, which a component sets. @default - values written by hand have none */
  version?: number;
  /** The gateway's name. */
  name: pulumi.Input<string>;
  /** The gateway's namespace. */
  namespace: pulumi.Input<string>;
  /** The gateway's domain. */
  domain: pulumi.Input<string>;
  /** Port of its plain listener, if it has one. */
  plainPort?: pulumi.Input<number>;
  /** Port of its TLS listener, if it has one. */
  tlsPort?: pulumi.Input<number>;
  /** Whether its TLS listener asks for client certificates. @default false */
  mutualTls?: pulumi.Input<boolean>;
  /**
   * Where it is reached, for the client's text: the host name that it was given. One that a LoadBalancer gets is in the
   * gateway's output `address`.
   */
  address?: pulumi.Input<string>;
  /** Labels of its pods. @default - those of an SshGateway of this name */
  selector?: pulumi.Input<Record<string, string>>;
  /** Whether it reaches pods that are no container's, which an {@link SshRoute} needs. @default - nobody knows */
  teamPods?: pulumi.Input<boolean>;
  /**
   * Whether it reaches hosts outside of the cluster, to which an {@link SshRoute} may lead too.
   * @default - nobody knows
   */
  outsideHosts?: pulumi.Input<boolean>;
  /** What puts its containers to sleep and wakes them, if anything does. */
  idle?: SshGatewayIdleRefArgs;
}

/** What a container must know of its gateway: names alone, so a team can be previewed before it exists. */
export interface SshGatewayRef extends pulumi.Unwrap<SshGatewayRefArgs> {}

/** Who puts a gateway's containers to sleep and wakes them. */
export interface SshGatewayIdleRefArgs {
  /** Namespace of both service accounts. */
  namespace: pulumi.Input<string>;
  /** The culler's service account. */
  cullerServiceAccountName: pulumi.Input<string>;
  /** The activator's service account. */
  activatorServiceAccountName: pulumi.Input<string>;
  /** Whether the use of GPUs is known. */
  gpuMetrics: pulumi.Input<boolean>;
}

/** Who puts a gateway's containers to sleep and wakes them. */
export interface SshGatewayIdleRef extends pulumi.Unwrap<SshGatewayIdleRefArgs> {}

/** The gateway's listeners as `drawbridge proxy --via` takes them. */
export interface SshGatewayEndpoints {
  /** Of the plain listener, if there is one. @example "http://ssh.dev.example.com:80" */
  plain?: string;
  /** Of the TLS listener, if there is one. @example "https://ssh.dev.example.com:443" */
  tls?: string;
}
