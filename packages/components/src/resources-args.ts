import type * as pulumi from "@pulumi/pulumi";

/**
 * CPU and memory of one program. The short form sets both sides, the long form each; a resource given in both is refused.
 * A resource that is not given keeps its default on both sides.
 */
export interface ResourcesArgs {
  /**
   * CPU that is set aside and also the most it gets. For more than that while the node has it to spare, give
   * `requests.cpu` alone.
   * @example "500m"
   */
  cpu?: pulumi.Input<string>;
  /**
   * Memory that is set aside and also the limit.
   * @example "2Gi"
   */
  memory?: pulumi.Input<string>;
  /**
   * What the scheduler sets aside, by resource name.
   * @example { cpu: "1" }
   */
  requests?: Record<string, pulumi.Input<string>>;
  /**
   * What the program may use at most, by resource name.
   * @example { cpu: "4" }
   */
  limits?: Record<string, pulumi.Input<string>>;
}
