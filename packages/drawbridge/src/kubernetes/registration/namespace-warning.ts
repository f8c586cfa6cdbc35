/** A Namespace of the user's own program, with which its homes would go. */

import * as pulumi from "@pulumi/pulumi";

const warned = new WeakSet<pulumi.Resource>();

/**
 * Warns once of each Namespace resource that gives a component its namespace: `pulumi destroy` deletes it with all that
 * is in it. Whether it has `retainOnDelete` no component can see, so a protected one alone is left out, and those of
 * this library, which are kept.
 */
export function warnOfNamespace(args: unknown): void {
  if (typeof args !== "object" || args === null) return;
  const given: unknown = Reflect.get(args, "namespace");
  if (!pulumi.Output.isInstance(given)) return;
  // `resources` is missing in Pulumi's types.
  const { resources } = given as unknown as { resources(): ReadonlySet<pulumi.Resource> };
  for (const resource of resources.call(given)) {
    if (warned.has(resource) || (resource as { readonly __protect?: boolean }).__protect) continue;
    warned.add(resource);
    resource.urn.apply((urn) => {
      const [, , type = "", name = ""] = urn?.split("::") ?? [];
      if (!/(^|\$)kubernetes:core\/v1:Namespace$/.test(type) || type.includes("drawbridge:index:")) return;
      const text = `pulumi destroy deletes the Namespace "${name}" with every home and storage in it, unless it has the option retainOnDelete: true; if it has, set namespace as text, with dependsOn, and this warning ends`;
      return pulumi.log.warn(text, resource).catch(() => undefined);
    });
  }
}
