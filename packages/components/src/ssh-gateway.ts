import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./invalid-args.ts";
import { register, registerCustom } from "./register.ts";
import type { SshGatewayArgs, SshGatewayRefArgs } from "./ssh-gateway-args.ts";

/**
 * An Istio gateway of its own for SSH: many containers behind one LoadBalancer address, routed by name with
 * HTTP CONNECT.
 *
 * @example
 * ```ts
 * const gateway = new SshGateway("ssh-ingress", { domain: "dev.example.com" });
 * new DevContainer("dev1", { gateway: gateway.ref, namespace: "team-a", … });
 * ```
 */
export class SshGateway extends pulumi.ComponentResource {
  /** The LoadBalancer's host name or address. */
  public readonly address: pulumi.Output<string>;
  /** The namespace in which the gateway runs. */
  public readonly namespace: pulumi.Output<string>;
  constructor(name: string, args: SshGatewayArgs, opts?: pulumi.ComponentResourceOptions) {
    const plan = m.planSshGateway(name, checkArgs("SshGateway", name, m.sshGatewaySchema, args));
    super("drawbridge:index:SshGateway", name, args, opts);
    const child: pulumi.CustomResourceOptions = { parent: this };

    const inNamespace = plan.createNamespace
      ? {
          ...child,
          dependsOn: [register(k8s.core.v1.Namespace, `${name}-namespace`, m.gatewayNamespace(plan), child)],
        }
      : child;
    register(
      k8s.core.v1.ServiceAccount,
      `${name}-service-account`,
      m.gatewayServiceAccount(plan),
      inNamespace,
    );
    // Before any route: without this filter a container's route would forward plain HTTP to sshd.
    const filter = registerCustom(`${name}-connect-filter`, m.connectEnvoyFilter(plan), inNamespace);
    const listeners = registerCustom(`${name}-listeners`, m.istioGateway(plan), {
      ...inNamespace,
      dependsOn: [filter],
    });
    if (plan.admissionPolicy) {
      const policy = m.routeAdmissionPolicy(plan);
      const binding = m.routeAdmissionBinding(plan);
      const { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } = k8s.admissionregistration.v1;
      register(ValidatingAdmissionPolicy, `${name}-admission`, policy, child);
      register(ValidatingAdmissionPolicyBinding, `${name}-admission-binding`, binding, child);
    }
    register(k8s.apps.v1.Deployment, `${name}-proxy`, m.gatewayDeployment(plan), {
      ...inNamespace,
      dependsOn: [listeners],
    });
    register(
      k8s.policy.v1.PodDisruptionBudget,
      `${name}-disruption`,
      m.gatewayDisruptionBudget(plan),
      inNamespace,
    );
    const service = register(
      k8s.core.v1.Service,
      `${name}-load-balancer`,
      m.gatewayLoadBalancer(plan),
      inNamespace,
    );

    this.address = service.status.loadBalancer.ingress.apply((ingress) => loadBalancerAddress(plan, ingress));
    this.namespace = pulumi.output(plan.namespace);
    references.set(this, reference(plan, this.address));
    this.registerOutputs({ address: this.address, namespace: this.namespace });
  }

  /** What containers and other stacks need to use this gateway: plain names, the address an output. */
  get ref(): SshGatewayRefArgs {
    return references.get(this) as SshGatewayRefArgs;
  }
}

// Beside the class, because every field of a component class becomes an output in other languages.
const references = new WeakMap<SshGateway, SshGatewayRefArgs>();

function reference(plan: m.SshGatewayPlan, address: pulumi.Output<string>): SshGatewayRefArgs {
  const plain = plan.listeners.find((listener) => listener.name === "plain");
  return {
    name: plan.name,
    namespace: plan.namespace,
    domain: plan.domain,
    ...(plain === undefined ? {} : { plainPort: plain.port }),
    address,
  };
}

function loadBalancerAddress(
  plan: m.SshGatewayPlan,
  ingress: readonly { hostname?: string; ip?: string }[] | undefined,
): string {
  const first = ingress?.[0];
  const address = first?.hostname ?? first?.ip;
  if (address === undefined) {
    throw new Error(
      `the LoadBalancer ${plan.namespace}/${plan.name} has no address; see its events with: kubectl -n ${plan.namespace} describe service ${plan.name}`,
    );
  }
  return address;
}
