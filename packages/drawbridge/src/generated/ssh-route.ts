// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.

import type * as pulumi from "@pulumi/pulumi";
import type { SshNetworkPolicy } from "../lists.ts";
import type { DevContainerExternalFrpArgs } from "./dev-container.ts";
import type { FrpServerRefArgs } from "./frp-server.ts";
import type { SubjectsArgs } from "./shared.ts";
import type { SshGatewayRefArgs } from "./ssh-gateway.ts";

/** Arguments of {@link SshRoute}. */
export interface SshRouteArgs {
  /** Name of the host, which begins its host name. @default the component's logical name */
  name?: string;
  /** The namespace of the Service, which is part of the host name. Routes go in too; they lead to no other. */
  namespace: pulumi.Input<string>;
  /** The Service that leads to its sshd. It must exist, and be no ExternalName. */
  serviceName: pulumi.Input<string>;
  /** The port of that Service, and of the host name that clients use. @default 22 */
  port?: number;
  /**
   * The port of the pods, where it is not that of the Service: for NetworkPolicies, and so for frpc.
   * @default `port`
   */
  targetPort?: number;
  /** Who logs in, for the client's text. */
  userName: pulumi.Input<string>;
  /** The folder that editors open. @default `/home/<userName>` */
  homePath?: pulumi.Input<string>;
  /**
   * Its public host keys, one line each: `/etc/ssh/ssh_host_ed25519_key.pub`, or what `ssh-keyscan` prints after the
   * host. Clients trust these and no others.
   * @example ["ssh-ed25519 AAAA…"]
   */
  hostPublicKeys: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The pod behind the Service, where its name stays, such as a StatefulSet's: it is reached over the Kubernetes API
   * too.
   */
  podName?: pulumi.Input<string>;
  /** Labels of the pods behind the Service: the NetworkPolicy is for these, and frpc reaches no others. */
  podLabels?: Record<string, pulumi.Input<string>>;
  /**
   * Whether a NetworkPolicy is made. `none`: who may reach the pods stays as it is. `allow-gateway`: the gateway may
   * reach the SSH port, and a frpc before it; for a namespace in which all else is denied already, such as a {@link
   * Team}'s. `only-gateway`: nobody but these may reach the SSH port, and every other port stays open to everybody; for
   * a namespace without a policy that denies.
   * @default "none"
   */
  networkPolicy?: SshNetworkPolicy;
  /** The ways in: a gateway, frp, the Kubernetes API; at least one. */
  access: SshRouteAccessArgs;
}

/** Every way in, and who may take it; at least one. */
export interface SshRouteAccessArgs {
  /** The gateway through which it is reached: `gateway.ref` of an {@link SshGateway}, or its values. */
  gateway?: pulumi.Input<SshGatewayRefArgs>;
  /**
   * Where the gateway is reached, for the client's text: `gateway.address` of an {@link SshGateway} whose address its
   * LoadBalancer gives. No object waits for it.
   * @default `gateway.address`
   */
  gatewayAddress?: pulumi.Input<string>;
  /**
   * Who may enter over the Kubernetes API (`drawbridge proxy`), without rights to any other pod.
   * @default - nobody gets rights from here
   */
  sshpod?: SubjectsArgs;
  /**
   * URI names of the client certificates that may open its tunnels, such as `spiffe://example.com/user/alice`. Needs a
   * gateway with a client CA; its plain listener then leads nobody here. As a pattern of the route they have at most
   * 1024 characters, about 25 names.
   * @default - everyone whom the gateway lets in
   */
  allowIdentities?: pulumi.Input<pulumi.Input<string>[]>;
  /** A way in through frp, beside the gateway's or instead of it. */
  frp?: SshRouteFrpArgs;
}

/**
 * A way in through frp: frpc in a pod of its own registers the host's name with an frps, which clients reach at one
 * address, and leads to the Service. What it is given restarts that pod, and ends sessions that go through it.
 */
export interface SshRouteFrpArgs {
  /** Whether there is this way in. @default true */
  enabled?: boolean;
  /** The frps with which it registers: `frp.ref` of a {@link FrpServer}, or its values. */
  server?: pulumi.Input<FrpServerRefArgs>;
  /** An frps elsewhere, instead of `server`. */
  external?: DevContainerExternalFrpArgs;
  /**
   * Where ssh clients reach frps, for the client's text: `frp.connectAddress` of a {@link FrpServer} whose address its
   * LoadBalancer gives. No object waits for it.
   * @default `server.connectAddress`
   */
  connectAddress?: pulumi.Input<string>;
  /**
   * Another name below the server's `domain`. With a FrpServer it must end in `.<namespace>.<domain>`, or be reserved
   * for this host in the server's `containers`.
   */
  customDomain?: pulumi.Input<string>;
  /** frpc's image, version 0.70.1 or later, with a shell. @default "fatedier/frpc:v0.70.1" */
  image?: pulumi.Input<string>;
  /**
   * What frpc proves itself with, at least 32 characters. With a FrpServer it is this route's own; an frps elsewhere
   * needs its `auth.token` here.
   */
  token: pulumi.Input<string>;
}
