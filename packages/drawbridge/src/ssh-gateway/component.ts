import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { SshGatewayChildren } from "../generated/children.ts";
import type { SshGatewayArgs, SshGatewayEndpoints, SshGatewayRef } from "../generated/ssh-gateway.ts";
import type { SshListener as Listener } from "../istio/listeners.ts";
import { known } from "../kit/input.ts";
import { prepare } from "../kubernetes/registration/construct.ts";
import { loadBalancerAddress, output, refOf, settled } from "../kubernetes/registration/outputs.ts";
import { setOutputs } from "../kubernetes/registration/register.ts";
import { sshGateway } from "./descriptor.ts";
import { idleAccounts } from "./idle.ts";
import { gatewayRouting } from "./objects.ts";
import type { SshGatewayPlan } from "./plan.ts";
import { gatewayEndpoints } from "./ref.ts";

/**
 * An Istio gateway of its own for SSH: many containers behind one LoadBalancer address, routed by name with
 * HTTP CONNECT.
 *
 * @example
 * ```ts
 * const gateway = new SshGateway("ssh-ingress", {
 *   domain: "dev.example.com",
 *   loadBalancer: { preset: "gke" },
 * });
 * new DevContainer("dev1", { access: { gateway }, namespace: "team-a", … });
 * ```
 */
export class SshGateway extends pulumi.ComponentResource {
  /**
   * What clients connect to: the DNS name if one is set, else the LoadBalancer's host name or address. Undefined while it
   * has none, and for an `existing` gateway whose address is not set.
   */
  public readonly address!: pulumi.Output<string | undefined>;
  /** Where each listener answers; empty without an address. */
  public readonly endpoints!: pulumi.Output<SshGatewayEndpoints>;
  /** PEM text of the CA of the TLS listener's certificate, if one was given as `certificate.caBundle`. */
  public readonly caBundle!: pulumi.Output<string | undefined>;
  /** The namespace in which the gateway runs. */
  public readonly namespace!: pulumi.Output<string>;
  /**
   * What containers need to use this gateway, in this program and in others: `access.gateway`. The address that a
   * LoadBalancer gives is not in it.
   */
  public readonly ref!: pulumi.Output<SshGatewayRef>;
  /** The component's Kubernetes resources by the suffix of their names; undefined for one that is not made. */
  public readonly children!: SshGatewayChildren;

  constructor(name: string, args: SshGatewayArgs, opts?: pulumi.ComponentResourceOptions) {
    const { faulty, token, inputs, plan, register } = prepare(sshGateway, name, args, opts);
    if (faulty) return faulty(new.target);
    super(token, name, inputs, opts);
    const { children } = register(this);
    this.children = children;
    const routing = Object.entries<pulumi.Resource | undefined>(children).flatMap(([key, child]) =>
      child !== undefined && gatewayRouting.test(key) ? [child] : [],
    );
    const address = addressOf(plan, children["load-balancer"]);
    const caBundle = plan.tls?.certificate.caBundle;
    setOutputs<SshGateway>(this, {
      address,
      endpoints: settled({ address, listeners: plan.listeners }).apply(({ address, listeners }) =>
        address === undefined ? {} : gatewayEndpoints(listeners, plan.tls?.clientCa !== undefined, address),
      ),
      caBundle: caBundle === undefined ? pulumi.output(undefined) : output(caBundle),
      namespace: output(plan.namespace),
      ref: refOf(reference(plan), routing),
    });
  }
}

function addressOf(
  plan: SshGatewayPlan,
  service: k8s.core.v1.Service | undefined,
): pulumi.Output<string | undefined> {
  if (service === undefined) return output(plan.existing?.address);
  return plan.dnsName === undefined ? loadBalancerAddress(service) : output(plan.dnsName);
}

function reference(plan: SshGatewayPlan) {
  const portOf = (name: Listener["name"]) => plan.listeners.find((listener) => listener.name === name)?.port;
  // One that is written out is known before there is a LoadBalancer; what comes later is in the output `address` alone.
  const address = known(plan.existing === undefined ? plan.dnsName : plan.existing.address);
  return {
    name: plan.name,
    namespace: plan.namespace,
    domain: plan.domain,
    plainPort: portOf("plain"),
    tlsPort: portOf("tls"),
    mutualTls: plan.tls?.clientCa !== undefined,
    address,
    selector: plan.selector,
    // The reach of an existing gateway is not known.
    teamPods: plan.existing === undefined ? plan.egress.teamPods : undefined,
    outsideHosts: plan.existing === undefined ? plan.egress.outsideHosts.length > 0 : undefined,
    idle: idleAccounts(plan),
  };
}
