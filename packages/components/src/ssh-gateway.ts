import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import { output, refOf } from "./inputs.ts";
import { loadBalancerAddress } from "./load-balancer-address.ts";
import type { SshGatewayArgs, SshGatewayEndpoints, SshGatewayRef } from "./made/ssh-gateway.ts";
import { register, registerCustom } from "./register.ts";
import { registerIdle } from "./ssh-gateway-idle.ts";
import { registerWalls } from "./walls.ts";

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
 * new DevContainer("dev1", { access: { gateway: gateway.ref }, namespace: "team-a", … });
 * ```
 */
export class SshGateway extends pulumi.ComponentResource {
  /** What clients connect to: the DNS name if one was given, else the LoadBalancer's host name or address. */
  public readonly address: pulumi.Output<string>;
  /** Where each listener answers. */
  public readonly endpoints: pulumi.Output<SshGatewayEndpoints>;
  /** PEM text of the CA of the TLS listener's certificate, if one was given as `certificate.caBundle`. */
  public readonly caBundle: pulumi.Output<string | undefined>;
  /** The namespace in which the gateway runs. */
  public readonly namespace: pulumi.Output<string>;
  /**
   * What containers need to use this gateway, in this program and in others: `access.gateway`. The address that a
   * LoadBalancer gives is not in it.
   */
  public readonly ref: pulumi.Output<SshGatewayRef>;

  constructor(name: string, args: SshGatewayArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({
      component: "SshGateway",
      name,
      schema: m.sshGatewaySchema,
      args,
      opts,
      names: ({ domain }) => [{ path: "domain", name: domain, code: "domain-taken" }],
      told: ({ existing }) => [existing?.address],
    });
    const plan = m.planSshGateway(name, checked.args);
    super("drawbridge:index:SshGateway", name, args, opts);
    const child: pulumi.CustomResourceOptions = { parent: this, ...checked.child };
    const namespace = plan.createNamespace
      ? [register(k8s.core.v1.Namespace, `${name}-namespace`, m.ownNamespace(plan), child)]
      : [];
    const inNamespace = pulumi.mergeOptions(child, { dependsOn: namespace });

    const certificate = registerTls(name, plan, inNamespace);
    const routing = registerRouting(name, plan, inNamespace, child);
    this.address =
      plan.loadBalancer !== undefined
        ? registerProxies(name, plan, plan.loadBalancer, inNamespace, [...certificate, ...routing])
        : output(plan.existing?.address ?? m.text`<address of the gateway in ${plan.namespace}>`);
    if (plan.idle !== undefined) registerIdle(name, { plan, idle: plan.idle }, inNamespace, child);
    this.endpoints = this.address.apply((address) => m.gatewayEndpoints(plan, address));
    const caBundle = plan.tls?.certificate.caBundle;
    this.caBundle = caBundle === undefined ? pulumi.output(undefined) : output(caBundle);
    this.namespace = output(plan.namespace);
    this.ref = refOf(reference(plan), routing);
    this.registerOutputs({
      address: this.address,
      endpoints: this.endpoints,
      caBundle: this.caBundle,
      namespace: this.namespace,
      ref: this.ref,
    });
  }
}

function reference(plan: m.SshGatewayPlan) {
  const portOf = (name: m.Listener["name"]) =>
    plan.listeners.find((listener) => listener.name === name)?.port;
  // One that is written out is known before there is a LoadBalancer; what comes later is in the output `address` alone.
  const address = m.known(plan.existing === undefined ? plan.dnsName : plan.existing.address);
  return {
    name: plan.name,
    namespace: plan.namespace,
    domain: plan.domain,
    plainPort: portOf("plain"),
    tlsPort: portOf("tls"),
    mutualTls: plan.tls?.clientCa !== undefined,
    address,
    selector: plan.selector,
    idle: m.idleAccounts(plan),
  };
}

/** The server's certificate, the clients' CA, and the proxy's right to read both. */
function registerTls(
  name: string,
  plan: m.SshGatewayPlan,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  const { tls } = plan;
  if (tls === undefined) return [];
  const resources: pulumi.Resource[] = [
    register(k8s.rbac.v1.Role, `${name}-certificate-reader`, m.certificateReaderRole(plan), opts),
    register(k8s.rbac.v1.RoleBinding, `${name}-certificate-binding`, m.certificateReaderBinding(plan), opts),
  ];
  const { issuer } = tls;
  const { caSecretName } = tls.certificate;
  if (issuer !== undefined) {
    if (caSecretName !== undefined) {
      resources.push(registerCustom(`${name}-issuer`, m.gatewayIssuer(plan, issuer, caSecretName), opts));
    }
    resources.push(registerCustom(`${name}-certificate`, m.gatewayCertificate(plan, tls, issuer), opts));
  }
  if (tls.clientCa !== undefined) {
    const secret = m.clientCaSecret(plan, tls, tls.clientCa);
    resources.push(register(k8s.core.v1.Secret, `${name}-client-ca`, secret, opts));
  }
  return resources;
}

/** The listeners, the filter that makes routes CONNECT routes, and who may add routes. */
function registerRouting(
  name: string,
  plan: m.SshGatewayPlan,
  opts: pulumi.CustomResourceOptions,
  clusterWide: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  // Before any route: without this filter a container's route would forward plain HTTP to sshd.
  const filter = registerCustom(`${name}-connect-filter`, m.connectEnvoyFilter(plan), opts);
  const ordered = { ...opts, dependsOn: [filter] };
  const resources: pulumi.Resource[] = [registerCustom(`${name}-listeners`, m.istioGateway(plan), ordered)];
  if (!m.isEmpty(plan.allow.identities)) {
    resources.push(registerCustom(`${name}-identities`, m.identityPolicy(plan), opts));
  }
  if (plan.admissionPolicy) {
    resources.push(
      ...registerWalls(
        name,
        [plan.namespace, plan.domain],
        (namespace = "", domain = "") => {
          const owner = { ...plan, namespace, domain };
          return { owner, walls: m.gatewayWalls(owner) };
        },
        clusterWide,
      ),
    );
  }
  return resources;
}

/** The proxies and their LoadBalancer; returns its address. */
function registerProxies(
  name: string,
  plan: m.SshGatewayPlan,
  loadBalancer: m.LoadBalancerParsed,
  opts: pulumi.CustomResourceOptions,
  before: pulumi.Resource[],
): pulumi.Output<string> {
  const account = m.serviceAccount(plan.name, plan);
  const identity = register(k8s.core.v1.ServiceAccount, `${name}-service-account`, account, opts);
  const egress = m.gatewayNetworkPolicy(plan);
  const walls = register(k8s.networking.v1.NetworkPolicy, `${name}-egress`, egress, opts);
  register(k8s.apps.v1.Deployment, `${name}-proxy`, m.gatewayDeployment(plan), {
    ...opts,
    dependsOn: [identity, walls, ...before],
  });
  if (plan.autoscaling !== undefined) {
    const autoscaler = m.gatewayAutoscaler(plan, plan.autoscaling);
    register(k8s.autoscaling.v2.HorizontalPodAutoscaler, `${name}-autoscaler`, autoscaler, opts);
  }
  const budget = m.gatewayDisruptionBudget(plan);
  register(k8s.policy.v1.PodDisruptionBudget, `${name}-disruption`, budget, opts);
  const balancer = m.gatewayLoadBalancer(plan, loadBalancer);
  const service = register(k8s.core.v1.Service, `${name}-load-balancer`, balancer, opts);
  const address = loadBalancerAddress(service);
  return plan.dnsName === undefined ? address : output(plan.dnsName);
}
