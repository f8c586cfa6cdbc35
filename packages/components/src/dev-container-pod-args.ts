import type * as pulumi from "@pulumi/pulumi";
import type { AsInKubernetes } from "./as-in-kubernetes.ts";

/** The Kubernetes identity of the container. */
export interface DevContainerServiceAccountArgs {
  /**
   * Name of a ServiceAccount.
   * @default - the namespace's default one; with `create` the container's name
   */
  name?: pulumi.Input<string>;
  /**
   * Whether it is made here, without any right. It takes the right to make ServiceAccounts, which a team's deployer has
   * not: there the platform makes it.
   * @default false
   */
  create?: boolean;
  /**
   * Annotations of the account that is made, by which a cloud knows whom it stands for.
   * @example { "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/team-a" }
   */
  annotations?: Record<string, pulumi.Input<string>>;
  /**
   * Whether its token is mounted, with which everybody in the container can talk to the Kubernetes API, with the rights
   * that the account has, as far as `egress` lets them. Cloud identities do not need it.
   * @default false
   */
  token?: boolean;
}

/**
 * Plain data merged into the container's objects, each under the end of its name in `pulumi preview`. As in Kubernetes'
 * strategic merge, lists whose items have a `name` are merged by it, other lists are replaced, and null removes a
 * field. Labels and annotations are open everywhere; of the rest what the container promises nothing about. What is not
 * open is refused by name, before anything is made.
 */
export interface DevContainerPatchesArgs {
  /**
   * The StatefulSet: probes, resources and terminal of its container `dev`, DNS, host aliases, scheduler, update strategy.
   * @example { spec: { template: { spec: { dnsConfig: { searches: ["corp.example.com"] } } } } }
   */
  workload?: AsInKubernetes;
  /** The Service: IP families and traffic policy. */
  service?: AsInKubernetes;
  /** The home's claim: its source. */
  home?: AsInKubernetes;
  /** The claim of the persisted paths: its source. */
  persist?: AsInKubernetes;
  /** The PodDisruptionBudget. */
  disruption?: AsInKubernetes;
  /** The NetworkPolicy's labels and annotations. */
  network?: AsInKubernetes;
  /** Labels and annotations of the ConfigMap with the keys. */
  authorizedKeys?: AsInKubernetes;
  /** Labels and annotations of the Secret with the host key. */
  hostKey?: AsInKubernetes;
  /** Labels and annotations of sshd's ConfigMap. */
  sshd?: AsInKubernetes;
  /** Labels and annotations of the VirtualService. */
  route?: AsInKubernetes;
  /** Labels and annotations of the Role for `access.sshpod`. */
  sshpod?: AsInKubernetes;
  /** Labels and annotations of its RoleBinding. */
  sshpodBinding?: AsInKubernetes;
}
