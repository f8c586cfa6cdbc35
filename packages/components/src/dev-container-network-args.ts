import type { PortScheme } from "@drawbridge-iac/manifests";
import type { DevContainerFrpArgs } from "./dev-container-frp-args.ts";
import type { SshGatewayRefArgs } from "./ssh-gateway-args.ts";

/** A port on which a program of the container listens. */
export interface DevContainerPortArgs {
  /** Its name, at most 15 lower-case letters, digits and hyphens. */
  name: string;
  /** Its number. */
  port: number;
  /**
   * Whether everybody who may use the gateway reaches it by the container's name, with no SSH login before it: at most 7
   * ports of a container. Without this it is reached with `ssh -L`.
   * @default false
   */
  throughGateway?: boolean;
}

/** Every way in, and who may take it. Without sshd only `sshpod` is left; with it, at least one way must be given. */
export interface DevContainerAccessArgs {
  /** The gateway through which it is reached: `gateway.ref` of an {@link SshGateway}, or plain values. */
  gateway?: SshGatewayRefArgs;
  /** A way in through frp, beside the gateway's or instead of it. */
  frp?: DevContainerFrpArgs;
  /**
   * Who may enter over the Kubernetes API (`drawbridge proxy`), without rights to any other pod.
   * @default - nobody gets rights from here
   */
  sshpod?: DevContainerSshpodArgs;
  /**
   * URI names of the client certificates that may open this container's tunnels, such as
   * `spiffe://example.com/user/alice`. Needs a gateway with a client CA; its plain listener then leads nobody here. As a
   * pattern of the route they have at most 1024 characters, about 25 names.
   * @default - everyone whom the gateway lets in
   */
  allowIdentities?: string[];
  /** Name of the port that the application is used by: it is reached through the gateway, and `url` is its address. */
  primaryPort?: string;
  /**
   * How it is spoken to.
   * @default "http"
   */
  scheme?: PortScheme;
}

/** People as the cluster's authentication names them. */
export interface DevContainerSshpodArgs {
  /** Names of users. */
  users?: string[];
  /** Names of groups. */
  groups?: string[];
}

/** Pods that may reach the container. */
export interface DevContainerIngressArgs {
  /**
   * Their namespace.
   * @default - the container's own
   */
  namespace?: string;
  /**
   * Their labels.
   * @default - all pods of the namespace
   */
  podLabels?: Record<string, string>;
  /** The ports they may reach. */
  ports: number[];
}

/** What the container may reach. Cluster-internal and other private addresses only where they are named here. */
export interface DevContainerEgressArgs {
  /**
   * Whether public addresses may be reached.
   * @default true
   */
  internet?: boolean;
  /** Public networks that may not, such as the address of the cluster's API server. */
  deny?: string[];
  /**
   * Networks that may, also private ones: everybody with a shell here reaches their hosts. In a team's namespace the
   * platform must allow private ones.
   */
  allow?: DevContainerEgressRuleArgs[];
  /**
   * Addresses of DNS servers besides the cluster's kube-dns pods and the node-local cache.
   * @default - none
   */
  dns?: string[];
}

/** A network that may be reached. */
export interface DevContainerEgressRuleArgs {
  /** In CIDR notation. */
  cidr: string;
  /**
   * TCP ports.
   * @default - all ports and protocols
   */
  ports?: number[];
}

/** The company's web proxy, set in the environment. `egress.allow` must let the container reach it. */
export interface DevContainerProxyArgs {
  /** Proxy for http addresses. */
  http?: string;
  /**
   * Proxy for https addresses.
   * @default - that for http
   */
  https?: string;
  /** Hosts and domains that are reached without it, besides the cluster's own. */
  except?: string[];
}
