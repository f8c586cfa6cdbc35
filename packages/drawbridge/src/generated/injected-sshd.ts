// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.

import type * as pulumi from "@pulumi/pulumi";
import type { AsInKubernetes } from "../kubernetes/as-in-kubernetes.ts";
import type { ImagePullPolicy, SshNetworkPolicy } from "../lists.ts";
import type {
  DevContainerFrpArgs,
  DevContainerHostKeyArgs,
  DevContainerUserCaArgs,
} from "./dev-container.ts";
import type { SubjectsArgs } from "./shared.ts";
import type { SshGatewayRefArgs } from "./ssh-gateway.ts";

/** Arguments of {@link InjectedSshd}. */
export interface InjectedSshdArgs {
  /** Name of the host: of its objects, and the beginning of its host name. @default the component's logical name */
  name?: string;
  /** The namespace of the pod, which is part of the host name. It must exist. */
  namespace: pulumi.Input<string>;
  /**
   * The pod template of a Deployment, StatefulSet, Sandbox, Notebook: `metadata` and `spec`. Its lists are plain, or it
   * is an output as a whole.
   * @example { spec: { containers: [{ name: "app", image: "…" }] } }
   */
  podTemplate: pulumi.Input<AsInKubernetes>;
  /** The container that sessions are in. @default - the first one */
  containerName?: string;
  /** The sshd that is put into the container. */
  ssh: InjectedSshdSshArgs;
  /** The user one logs in as. */
  user?: InjectedSshdUserArgs;
  /**
   * Public keys that may log in, one authorized_keys line each; at least one unless there is a user CA. A change takes
   * effect at the next login without a restart.
   */
  authorizedKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /** A certificate authority whose user certificates may log in. */
  userCa?: DevContainerUserCaArgs;
  /** The host's SSH identity, which `known_hosts` pins. */
  hostKey: DevContainerHostKeyArgs;
  /**
   * No session from before this time goes on: set it to now to end what a removed key, CA or principal still has open.
   * Another value is another pod, for everybody who is in it; nothing that runs in a container could end one person's
   * sessions alone, since it would run as the same user.
   * @default - sessions outlive the keys that opened them
   * @example "2026-11-24T09:30:00Z"
   */
  sessionsValidFrom?: pulumi.Input<string>;
  /**
   * The pod's name, where it stays, such as a StatefulSet's or a Sandbox's: it is reached over the Kubernetes API too.
   */
  podName?: pulumi.Input<string>;
  /**
   * Whether a NetworkPolicy is made. `none`: who may reach the pods stays as it is. `allow-gateway`: the gateway may
   * reach the SSH port, and a frpc before it; for a namespace in which all else is denied already, such as a {@link
   * Team}'s. `only-gateway`: nobody but these may reach the SSH port, and every other port stays open to everybody; for
   * a namespace without a policy that denies.
   * @default "none"
   */
  networkPolicy?: SshNetworkPolicy;
  /** The ways in: a gateway, frp, the Kubernetes API; at least one. */
  access: InjectedSshdAccessArgs;
}

/** The sshd. */
export interface InjectedSshdSshArgs {
  /** The sshd-bundle image. */
  image: pulumi.Input<string>;
  /** When the node pulls it. @default "IfNotPresent" */
  imagePullPolicy?: ImagePullPolicy;
  /** The port of sshd, and of the host name that clients use. @default 2222 */
  port?: number;
  /**
   * Seconds that a new connection has to log in, the time to type a passphrase or to touch a hardware key included.
   * @default 30
   */
  loginGraceSeconds?: number;
  /**
   * How many connections may wait for their login at once; from half of that on, some are refused at random. Each costs
   * memory of the container that runs sshd. All of them come from the gateway, whose limits for each client keep one
   * client from taking them all.
   * @default 200
   */
  maxStartups?: number;
}

/** The user one logs in as: the one that the container runs as. */
export interface InjectedSshdUserArgs {
  /** Login name. It need not exist in the image. @default "jovyan" */
  name?: string;
  /**
   * The container's user id. It is set in the template where that says none; another one there is refused.
   * @default 1000
   */
  uid?: number;
  /** The user's group id. @default `uid` */
  gid?: number;
  /** Home folder, which should be a volume. @default `/home/<name>` */
  homePath?: string;
  /** Login shell, a program of the image. @default - bash if the image has it, else sh */
  shell?: string;
}

/** Every way in, and who may take it; at least one. */
export interface InjectedSshdAccessArgs {
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
  frp?: DevContainerFrpArgs;
}
