import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./invalid-args.ts";
import type { RootNamespaceArgs, RootNamespaceRefArgs } from "./made/root-namespace.ts";
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

  constructor(name: string, args: RootNamespaceArgs, opts?: pulumi.ComponentResourceOptions) {
    const parsed = checkArgs("RootNamespace", name, m.rootNamespaceSchema, args);
    super("drawbridge:index:RootNamespace", name, args, opts);
    const child: pulumi.CustomResourceOptions = { parent: this };
    const walls = registerWalls(name, m.rootWallOwner(parsed), m.rootWalls(parsed), child);
    if (parsed.createNamespace) {
      const namespace = m.teamNamespace(parsed.namespace, parsed.egress.allow, m.rootPodSecurity(parsed));
      // The homes in it go with it, so it stays until somebody deletes it by hand. What it allows comes after the policies.
      const kept = { ...child, retainOnDelete: true, dependsOn: walls };
      register(k8s.core.v1.Namespace, `${name}-namespace`, namespace, kept);
    }
    this.namespace = pulumi.output(parsed.namespace);
    const { containersInside } = parsed;
    references.set(this, { namespace: parsed.namespace, ...(containersInside && { containersInside }) });
    this.registerOutputs({ namespace: this.namespace });
  }

  /** What containers with root need to know of it. */
  get ref(): RootNamespaceRefArgs {
    return references.get(this) as RootNamespaceRefArgs;
  }
}

// Beside the class, because every field of a component class becomes an output in other languages.
const references = new WeakMap<RootNamespace, RootNamespaceRefArgs>();
