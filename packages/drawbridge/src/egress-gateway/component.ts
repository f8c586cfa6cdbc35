import * as pulumi from "@pulumi/pulumi";
import type { EgressGatewayChildren } from "../generated/children.ts";
import type { EgressGatewayArgs, EgressGatewayRef } from "../generated/egress-gateway.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { output, refOf } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { egressGateway } from "./descriptor.ts";

/**
 * The way out by name: containers reach the hosts that each declares, and nothing else of the internet.
 *
 * @example
 * ```ts
 * const egress = new EgressGateway("egress", {
 *   authorizer: { image: "registry.example.com/team/programs:0.1.0" },
 *   egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
 * });
 * new DevContainer("dev1", { egress: { gateway: egress, hosts: ["pypi.org", "*.pythonhosted.org"] }, … });
 * ```
 */
export class EgressGateway extends pulumi.ComponentResource {
  /** The namespace in which the gateway runs. */
  public readonly namespace!: pulumi.Output<string>;
  /** What containers need to use this gateway, in this program and in others: `egress.gateway`. */
  public readonly ref!: pulumi.Output<EgressGatewayRef>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: EgressGatewayChildren;

  constructor(name: string, args: EgressGatewayArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(egressGateway, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { children } = register(this);
    this.children = children;
    setOutputs<EgressGateway>(this, {
      namespace: output(plan.namespace),
      ref: refOf({ name: plan.name, namespace: plan.namespace }, [children.network, children.service]),
    });
  }
}
