import {
  type RootNamespaceObjects,
  rootNamespaceObjects,
  rootNamespaceSchema,
} from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import { output, refOf } from "./inputs.ts";
import type { RootNamespaceArgs, RootNamespaceRef } from "./made/root-namespace.ts";
import { type Children, giveOut, registerChildren } from "./register.ts";

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
  public readonly namespace!: pulumi.Output<string>;
  /** What containers with root need to know of it, in this program and in others: `rootNamespace`. */
  public readonly ref!: pulumi.Output<RootNamespaceRef>;
  /** Its Kubernetes objects by what ends their names, for what you add to one; undefined where one is not made. */
  public readonly children: Children<RootNamespaceObjects>;

  constructor(name: string, args: RootNamespaceArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({
      component: "RootNamespace",
      name,
      schema: rootNamespaceSchema,
      args,
      opts,
    });
    super("drawbridge:index:RootNamespace", name, args, opts);
    const objects = rootNamespaceObjects(checked.args);
    this.children = registerChildren(name, objects, { parent: this, ...checked.child });
    const { namespace, containersInside } = checked.args;
    const made = Object.values<pulumi.Resource | undefined>(this.children).filter((one) => one !== undefined);
    giveOut<RootNamespace>(this, {
      namespace: output(namespace),
      ref: refOf({ namespace, containersInside }, made),
    });
  }
}
