import * as pulumi from "@pulumi/pulumi";
import type { StorageProxyChildren } from "../generated/children.ts";
import type { StorageProxyArgs, StorageProxyRef } from "../generated/storage-proxy.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { loadBalancerAddress, output, refOf } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { storageProxy } from "./descriptor.ts";
import type { StorageProxyPlan } from "./plan.ts";

/**
 * One address for the files of all storages: `/storage/<namespace>/<name>/`. It only finds the way; each
 * storage decides by itself who may look.
 *
 * @example
 * ```ts
 * const proxy = new StorageProxy("files", {
 *   dnsName: "files.example.com",
 *   tls: { secretName: "files-tls" },
 *   loadBalancer: { preset: "gke" },
 * });
 * new StorageAccessor("models", { namespace: "team-a", browse: { proxy, credentials: [ … ] } });
 * ```
 */
export class StorageProxy extends pulumi.ComponentResource {
  /** Host name or address to which requests go. Undefined while its LoadBalancer has none. */
  public readonly address!: pulumi.Output<string | undefined>;
  /** The namespace in which the proxy runs. */
  public readonly namespace!: pulumi.Output<string>;
  /**
   * What storages need to use this proxy, in this program and in others: `browse.proxy`. The address that a LoadBalancer
   * gives is not in it.
   */
  public readonly ref!: pulumi.Output<StorageProxyRef>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: StorageProxyChildren;

  constructor(name: string, args: StorageProxyArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(storageProxy, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { children } = register(this);
    this.children = children;
    setOutputs<StorageProxy>(this, {
      address:
        plan.dnsName === undefined ? loadBalancerAddress(children["load-balancer"]) : output(plan.dnsName),
      namespace: output(plan.namespace),
      ref: refOf(reference(plan), [children.egress]),
    });
  }
}

function reference(plan: StorageProxyPlan) {
  const { name, namespace, scheme, port, dnsName } = plan;
  return { name, namespace, scheme, port, dnsName };
}
