// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.
import type * as pulumi from "@pulumi/pulumi";
import type { ServiceAccountSubjectArgs, SubjectsArgs } from "./shared.ts";

/** Arguments of {@link Team}. */
export interface TeamArgs {
  /** The namespace, of one team. @default the component's logical name */
  namespace?: pulumi.Input<string>;
  /**
   * Whether to create it, with its Pod Security level and a team's marks. It is never deleted. `false` where another
   * program makes it, which then sets `allowedPrivateNetworks` and the level as well.
   * @default true
   */
  createNamespace?: boolean;
  /**
   * Who may bring the team's stack up. They get a role in the namespace with the rights for what drawbridge makes
   * there, and no more.
   * @default - no role is made
   */
  deployers?: TeamDeployersArgs;
  /**
   * The namespace's limits in all, in Kubernetes' own names: requests.cpu, requests.storage, pods. services: 75,
   * services.nodeports: 0, services.loadbalancers: 0, pods: 100, count/pods: 400, count/statefulsets.apps: 75,
   * count/deployments.apps: 75, count/cronjobs.batch: 75, count/jobs.batch: 300, count/replicasets.apps: 825,
   * count/controllerrevisions.apps: 825, configmaps: 300, secrets: 300, persistentvolumeclaims: 300,
   * count/networkpolicies.networking.k8s.io: 300, count/poddisruptionbudgets.policy: 300,
   * count/roles.rbac.authorization.k8s.io: 300, count/rolebindings.rbac.authorization.k8s.io: 300,
   * count/virtualservices.networking.istio.io: 75, count/destinationrules.networking.istio.io: 75,
   * count/serviceentries.networking.istio.io: 75 are added, unless they are given.
   */
  quota?: Record<string, pulumi.Input<string>>;
  /** What a single container of a pod gets if it says nothing, and may have at most. */
  limits?: TeamLimitsArgs;
  /**
   * Lets containers have root inside: policies hold the namespace's pods in user namespaces of their own, so that root
   * inside is nobody on the node, and Pod Security is "baseline". Needs the right to write cluster-wide policies.
   * @default - no root, and Pod Security "restricted"
   */
  root?: TeamRootArgs;
  /**
   * Private networks that the team's containers may reach, in CIDR notation. Each opens its hosts to everybody with a
   * shell there.
   * @default none
   */
  allowedPrivateNetworks?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Hosts outside of the cluster, such as machines of a private network, by name. Each is a Service of the namespace,
   * to which the team's {@link SshRoute} of that `serviceName` leads. The gateway reaches it where its
   * `egress.outsideHosts` says so.
   * @default none
   * @example { vm1: { address: "10.20.0.5" } }
   */
  outsideHosts?: Record<string, TeamOutsideHostArgs>;
  /**
   * Whether its containers may sleep: its deployers then have the right to scale them, which they hand on.
   * @default false
   */
  idle?: boolean;
}

/** People as the cluster's authentication names them, and ServiceAccounts. */
export interface TeamDeployersArgs extends SubjectsArgs {
  /** ServiceAccounts, such as that of a pipeline. */
  serviceAccounts?: ServiceAccountSubjectArgs[];
}

/** Limits of one container of a pod, in Kubernetes' own names. */
export interface TeamLimitsArgs {
  /** Limits of a container that states none. */
  default?: Record<string, pulumi.Input<string>>;
  /** Requests of a container that states none. */
  defaultRequest?: Record<string, pulumi.Input<string>>;
  /** The most that one container may ask for. */
  max?: Record<string, pulumi.Input<string>>;
}

/** What pods with root may be. */
export interface TeamRootArgs {
  /**
   * ServiceAccounts that pods of the namespace may run as, besides its default one. Whoever has a shell there has the
   * rights of each.
   * @default none
   */
  allowedServiceAccountNames?: string[];
  /**
   * Whether its containers may start containers inside. Pods may then have SYS_ADMIN, NET_ADMIN and SYS_PTRACE in their
   * own user namespace, with which they mount and route in it, and Pod Security is "privileged": only the policies
   * still protect the node.
   * @default false
   */
  containersInside?: boolean;
}

/** A host outside of the cluster. */
export interface TeamOutsideHostArgs {
  /** Its IPv4 or IPv6 address. @example "10.20.0.5" */
  address: pulumi.Input<string>;
  /** The port of its sshd. @default 22 */
  port?: number;
}

/** Arguments of {@link TeamMembers}. */
export interface TeamMembersArgs {
  /** The team's namespace: the output of this name of a {@link Team}. */
  namespace: pulumi.Input<string>;
  /** They see every object of the namespace but Secrets. */
  viewers?: SubjectsArgs;
  /** They get into every pod over the Kubernetes API, the sshpod way. */
  sshpod?: SubjectsArgs;
}

/** Arguments of {@link TeamPolicies}. */
export interface TeamPoliciesArgs {
  /** Name of the policies's objects in Kubernetes. @default the component's logical name */
  name?: string;
}

/** What containers must know of their team. They can be previewed before it exists. */
export interface TeamRefArgs {
  /** Version of this form, which a component sets. @default - values written by hand have none */
  version?: number;
  /** The team's namespace, which must be the container's. */
  namespace: pulumi.Input<string>;
  /** Whether it allows `root`. @default false */
  root?: pulumi.Input<boolean>;
  /** Whether it allows `containersInside`. @default false */
  containersInside?: pulumi.Input<boolean>;
}

/** What containers must know of their team. They can be previewed before it exists. */
export interface TeamRef extends pulumi.Unwrap<TeamRefArgs> {}
