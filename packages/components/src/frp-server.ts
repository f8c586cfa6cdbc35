import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import { output, refOf, settled } from "./inputs.ts";
import { loadBalancerAddress } from "./load-balancer-address.ts";
import type { FrpServerArgs, FrpServerRef } from "./made/frp-server.ts";
import { register, registerCustom } from "./register.ts";

/**
 * A way in without Istio: frps, with which each container's frpc registers the container's name, and an authorizer
 * that lets each register its own and no other.
 *
 * @example
 * ```ts
 * const frp = new FrpServer("frp", {
 *   domainSuffix: "ssh.example.com",
 *   seed: config.requireSecret("frpSeed"),
 *   authorizer: { image: "registry.example.com/team/frp-authorizer:0.1.0" },
 *   egress: { apiServer: [{ cidr: "192.0.2.10/32" }] },
 *   loadBalancer: { preset: "gke" },
 * });
 * new DevContainer("dev1", { access: { frp: { server: frp.ref, connectHost: frp.connectHost } }, namespace: "team-a", … });
 * ```
 */
export class FrpServer extends pulumi.ComponentResource {
  /** Host name or address at which ssh clients reach frps. */
  public readonly connectHost: pulumi.Output<string>;
  /** The CA of frps's certificate, in PEM, for containers in other clusters. */
  public readonly caBundle: pulumi.Output<string>;
  /** The namespace in which frps runs. */
  public readonly namespace: pulumi.Output<string>;
  /** Secret: the password of the user `drawbridge`, which frps's metrics and dashboard API ask for. */
  public readonly metricsPassword: pulumi.Output<string>;
  /**
   * What containers need to use this server, in this program and in others: `access.frp.server`. The address that a
   * LoadBalancer gives is not in it.
   */
  public readonly ref: pulumi.Output<FrpServerRef>;

  constructor(name: string, args: FrpServerArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({ component: "FrpServer", name, schema: m.frpServerSchema, args, opts });
    const plan = m.planFrpServer(name, checked.args);
    const seed = pulumi.secret(output(plan.seed));
    super("drawbridge:index:FrpServer", name, checked.inputs, opts);
    const child: pulumi.CustomResourceOptions = { parent: this, ...checked.child };
    const namespace = plan.createNamespace
      ? [register(k8s.core.v1.Namespace, `${name}-namespace`, m.ownNamespace(plan), child)]
      : [];
    const inNamespace = pulumi.mergeOptions(child, { dependsOn: namespace });

    this.metricsPassword = pulumi.secret(
      settled({ seed, identity: plan.identity }).apply((known) =>
        m.deriveMetricsPassword(known.seed, known.identity),
      ),
    );
    const metrics = m.frpsMetricsSecret(plan, this.metricsPassword);
    const certificate = serverCertificate(plan, seed);
    const needed: pulumi.Resource[] = [
      register(
        k8s.core.v1.ServiceAccount,
        `${name}-service-account`,
        m.serviceAccount(plan.names.serviceAccount, plan, { token: false }),
        inNamespace,
      ),
      register(k8s.core.v1.ConfigMap, `${name}-configuration`, m.frpsConfiguration(plan), inNamespace),
      register(k8s.core.v1.Secret, `${name}-metrics`, metrics, inNamespace),
      register(k8s.core.v1.ConfigMap, `${name}-units`, m.frpUnits(plan), inNamespace),
      register(k8s.networking.v1.NetworkPolicy, `${name}-network`, m.frpNetworkPolicy(plan), inNamespace),
    ];
    if (certificate.own !== undefined) {
      const secret = m.frpsCertificate(plan, certificate.own);
      needed.push(register(k8s.core.v1.Secret, `${name}-certificate`, secret, inNamespace));
    }
    const hash = certificate.caBundle.apply((pem) => m.hashOf(pem));
    const workload = m.frpsDeployment(plan, hash);
    register(k8s.apps.v1.Deployment, `${name}-server`, workload, { ...inNamespace, dependsOn: needed });
    register(k8s.core.v1.Service, `${name}-service`, m.frpsService(plan), inNamespace);
    this.connectHost = registerEntrance(name, plan, inNamespace);
    this.caBundle = certificate.caBundle;
    this.namespace = output(plan.namespace);
    this.ref = refOf(m.frpServerRef(plan, this.caBundle), needed);
    this.registerOutputs({
      connectHost: this.connectHost,
      caBundle: this.caBundle,
      namespace: this.namespace,
      metricsPassword: this.metricsPassword,
      ref: this.ref,
    });
  }
}

/** Where ssh clients come in: a LoadBalancer, or a listener of the gateway that ends TLS. Returns its host. */
function registerEntrance(
  name: string,
  plan: m.FrpServerPlan,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const { connectTls } = plan;
  // The schema saw to it that it is there where one is made.
  const loadBalancer = plan.loadBalancer as m.LoadBalancerParsed;
  const balancer = () =>
    register(k8s.core.v1.Service, `${name}-load-balancer`, m.frpsLoadBalancer(plan, loadBalancer), opts);
  if (connectTls === undefined) return loadBalancerAddress(balancer());
  if (plan.exposeServerPort) balancer();
  registerCustom(`${name}-connect-gateway`, m.connectTlsGateway(plan, connectTls), opts);
  registerCustom(`${name}-connect-route`, m.connectTlsRoute(plan, connectTls), opts);
  return pulumi.output(connectTls.host);
}

/** The derived certificate, or the CA of one of the caller's own. */
function serverCertificate(plan: m.FrpServerPlan, seed: pulumi.Output<string>) {
  if (plan.tls !== undefined) return { caBundle: output(plan.tls.caBundle), own: undefined };
  const of = { seed, identity: plan.identity, names: m.certificateNames(plan) };
  const derived = settled(of).apply((known) =>
    m.deriveServerCertificate(known.seed, known.identity, known.names),
  );
  const caBundle = pulumi.unsecret(derived.caBundle);
  const own = { caBundle, certificate: derived.certificate, privateKey: derived.privateKey };
  return { caBundle, own };
}
