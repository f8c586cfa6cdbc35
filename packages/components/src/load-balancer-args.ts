import type { IpFamily, LoadBalancerPreset, LoadBalancerScope } from "@drawbridge-iac/manifests";
import type * as pulumi from "@pulumi/pulumi";

/** A LoadBalancer. It must work on layer 4; an HTTP one does not pass CONNECT. */
export interface LoadBalancerArgs {
  /**
   * Whose LoadBalancer it is: decides the annotations. `generic` sets none, for a cluster of one's own, such as kind; on
   * AWS, Google Cloud and Azure it would make the address public.
   * @example "gke"
   */
  preset: LoadBalancerPreset;
  /**
   * Whether it is reachable only inside the private network. `generic` and `metallb` leave that to the cluster.
   * @default "internal"
   */
  scope?: LoadBalancerScope;
  /** Further annotations; they win over the preset's. */
  annotations?: Record<string, pulumi.Input<string>>;
  /**
   * Networks in CIDR notation whose clients may connect.
   * @default - any
   */
  sourceRanges?: pulumi.Input<string>[];
  /**
   * IP families of the LoadBalancer; two ask for both.
   * @default - the cluster's
   */
  ipFamilies?: IpFamily[];
  /** A fixed address, where the cloud supports one. */
  address?: pulumi.Input<string>;
  /** `spec.loadBalancerClass`, where more than one controller is installed. */
  className?: pulumi.Input<string>;
}
