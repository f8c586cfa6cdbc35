/** Stands for the code that a company has already: a component that makes namespaces by its own rules. */
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

export class Tenant extends pulumi.ComponentResource {
  /** Name of the namespace, plain, since it decides names. */
  public readonly name: string;

  constructor(name: string, opts: pulumi.ComponentResourceOptions) {
    super("example:index:Tenant", name, {}, opts);
    this.name = name;
    // The mark without which the gateway takes no routes from here.
    const labels = { "drawbridge.dev/team": name };
    new k8s.core.v1.Namespace(name, { metadata: { name, labels } }, { parent: this });
    this.registerOutputs({ name });
  }
}

export function tenant(name: string, provider: k8s.Provider): Tenant {
  return new Tenant(name, { provider });
}
