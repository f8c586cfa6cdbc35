// Made by `npm run docs` from the schemas in packages/manifests/src; change those.
import type { SshNetworkPolicy } from "@drawbridge-iac/manifests/lists";
import type * as pulumi from "@pulumi/pulumi";
import type { SubjectsArgs } from "./shared.ts";
import type { SshGatewayRefArgs } from "./ssh-gateway.ts";

/** Arguments of {@link SshRoute}. */
export interface SshRouteArgs {
  /**
   * Name of the host, which begins its host name.
   * @default the component's logical name
   */
  name?: string;
  /** The namespace of the Service, which is part of the host name. Routes go in too; they lead to no other. */
  namespace: pulumi.Input<string>;
  /** The Service that leads to its sshd. It must exist, and be no ExternalName. */
  serviceName: pulumi.Input<string>;
  /**
   * The port of that Service, and of the host name that clients use.
   * @default 22
   */
  port?: number;
  /**
   * The port of the pods, where it is not that of the Service: the NetworkPolicy's.
   * @default `port`
   */
  targetPort?: number;
  /** Who logs in, for the client's text. */
  userName: pulumi.Input<string>;
  /**
   * The folder that editors open.
   * @default `/home/<userName>`
   */
  homePath?: pulumi.Input<string>;
  /**
   * Its public host keys, one line each: what `drawbridge host-key` prints, or `/etc/ssh/ssh_host_ed25519_key.pub`.
   * Clients trust these and no others.
   * @example ["ssh-ed25519 AAAA…"]
   */
  hostPublicKeys: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The pod behind the Service, where its name stays, such as a StatefulSet's: it is reached over the Kubernetes API
   * too.
   */
  podName?: pulumi.Input<string>;
  /** Labels of the pods behind the Service: the NetworkPolicy is for these. */
  podLabels?: Record<string, pulumi.Input<string>>;
  /**
   * Whether a NetworkPolicy is made. `none`: who may reach the pods stays as it is. `allow-gateway`: the gateway may
   * reach the SSH port; for a namespace in which all else is denied already, such as a {@link Team}'s. `only-gateway`:
   * nobody but the gateway may reach the SSH port, and every other port stays open to everybody; for a namespace
   * without a policy that denies.
   * @default "none"
   */
  networkPolicy?: SshNetworkPolicy;
  /** The ways in: a gateway, the Kubernetes API; at least one. */
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
}
