import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { FrpServerChildren } from "../generated/children.ts";
import type { FrpServerArgs, FrpServerRef } from "../generated/frp-server.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { loadBalancerAddress, output, refOf } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { frpServer } from "./descriptor.ts";
import { frpServerRef } from "./ref.ts";

/**
 * A way in without Istio: frps, with which each container's frpc registers the container's name, and an authorizer
 * that lets each register its own and no other.
 *
 * @example
 * ```ts
 * const frp = new FrpServer("frp", {
 *   domain: "ssh.example.com",
 *   seed: config.requireSecret("frpSeed"),
 *   authorizer: { image: "registry.example.com/team/programs:0.1.0" },
 *   egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
 *   loadBalancer: { preset: "gke" },
 * });
 * new DevContainer("dev1", { access: { frp }, namespace: "team-a", … });
 * ```
 */
export class FrpServer extends pulumi.ComponentResource {
  /** Host name or address at which ssh clients reach frps. Undefined while its LoadBalancer has none. */
  public readonly address!: pulumi.Output<string | undefined>;
  /** The CA of frps's certificate, in PEM, for containers in other clusters. */
  public readonly caBundle!: pulumi.Output<string>;
  /** The namespace in which frps runs. */
  public readonly namespace!: pulumi.Output<string>;
  /** Secret: the password of the user `drawbridge`, which frps's metrics and dashboard API ask for. */
  public readonly metricsPassword!: pulumi.Output<string>;
  /**
   * What containers need to use this server, in this program and in others: `access.frp.server`. The address that a
   * LoadBalancer gives is not in it.
   */
  public readonly ref!: pulumi.Output<FrpServerRef>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: FrpServerChildren;

  constructor(name: string, args: FrpServerArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(frpServer, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { secrets, children } = register(this);
    this.children = children;
    const { configuration, metrics, units, network, certificate } = children;
    const needed = [children["service-account"], configuration, metrics, units, network, certificate];
    const { connectTls } = plan;
    setOutputs<FrpServer>(this, {
      address:
        connectTls === undefined
          ? loadBalancerAddress(children["load-balancer"] as k8s.core.v1.Service)
          : output(connectTls.dnsName),
      caBundle: output(secrets.caBundle),
      namespace: output(plan.namespace),
      metricsPassword: output(secrets.metricsPassword),
      ref: refOf(
        frpServerRef(plan, secrets.caBundle),
        needed.filter((one) => one !== undefined),
      ),
    });
  }
}
