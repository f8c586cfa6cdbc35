import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import { output, refOf } from "./inputs.ts";
import type { RootNamespaceArgs, RootNamespaceRef } from "./made/root-namespace.ts";
import { register } from "./register.ts";
import { registerWalls } from "./walls.ts";

/**
 * A team's namespace in which containers may have root. The API server holds each pod there in a user namespace of its
 * own, so root inside is nobody on the node. It takes the rights of a platform: cluster-wide policies, and Pod Security.
 *
 * @example
 * ```ts
 * const root = new RootNamespace("root", { namespace: "team-a" });
 * new DevContainer("dev1", { namespace: "team-a", root: true, rootNamespace: root.ref, … });
 * ```
 */
export class RootNamespace extends pulumi.ComponentResource {
  /** The namespace. */
  public readonly namespace: pulumi.Output<string>;
  /** What containers with root need to know of it, in this program and in others: `rootNamespace`. */
  public readonly ref: pulumi.Output<RootNamespaceRef>;

  constructor(name: string, args: RootNamespaceArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({
      component: "RootNamespace",
      name,
      schema: m.rootNamespaceSchema,
      args,
      opts,
    });
    const parsed = checked.args;
    super("drawbridge:index:RootNamespace", name, args, opts);
    const child: pulumi.CustomResourceOptions = { parent: this, ...checked.child };
    const walls = registerWalls(
      name,
      [parsed.namespace],
      (namespace = "") => {
        const known = { ...parsed, namespace };
        return { owner: m.rootWallOwner(known), walls: m.rootWalls(known) };
      },
      child,
    );
    const made = [...walls];
    if (parsed.createNamespace) {
      const namespace = m.teamNamespace(parsed.namespace, parsed.egress.allow, m.rootPodSecurity(parsed));
      // The homes in it go with it, so it stays until somebody deletes it by hand. What it allows comes after the policies.
      const kept = { ...child, retainOnDelete: true, dependsOn: walls };
      made.push(register(k8s.core.v1.Namespace, `${name}-namespace`, namespace, kept));
    }
    this.namespace = output(parsed.namespace);
    const { namespace, containersInside } = parsed;
    this.ref = refOf({ namespace, containersInside }, made);
    this.registerOutputs({ namespace: this.namespace, ref: this.ref });
  }
}
