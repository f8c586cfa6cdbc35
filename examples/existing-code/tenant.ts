/** Stands for the code that a company has already: a component that makes namespaces by its own rules. */
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

export class Tenant extends pulumi.ComponentResource {
  /** Name of the namespace, there when it stands. */
  public readonly namespace: pulumi.Output<string>;

  constructor(name: string, opts: pulumi.ComponentResourceOptions) {
    super("example:index:Tenant", name, {}, opts);
    // The mark without which the gateway takes no routes from here.
    const labels = { "drawbridge.dev/team": name };
    // A destroyed namespace takes its homes with it; this one stays.
    const kept = { parent: this, retainOnDelete: true };
    const made = new k8s.core.v1.Namespace(name, { metadata: { name, labels } }, kept);
    this.namespace = made.metadata.name;
    this.registerOutputs({ namespace: this.namespace });
  }
}

export function tenant(name: string, provider: k8s.Provider): Tenant {
  return new Tenant(name, { provider });
}
