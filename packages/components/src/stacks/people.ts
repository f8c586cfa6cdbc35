import type { PlatformStack } from "@drawbridge-iac/manifests/stack";
import * as pulumi from "@pulumi/pulumi";

/**
 * The platform's people as something that a preview can show: outputs, by which teams get them, are in no preview. It
 * makes nothing in the cluster.
 */
export class People extends pulumi.ComponentResource {
  constructor(people: PlatformStack["people"]) {
    super("drawbridge:stacks:People", "people", { people });
    this.registerOutputs();
  }
}
