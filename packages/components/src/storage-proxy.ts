import * as m from "@drawbridge-iac/manifests";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checkArgs } from "./check-args.ts";
import { output, refOf } from "./inputs.ts";
import { loadBalancerAddress } from "./load-balancer-address.ts";
import type { StorageProxyArgs, StorageProxyRef } from "./made/storage-proxy.ts";
import { register, registerCustom } from "./register.ts";
import { registerWalls } from "./walls.ts";

/**
 * One address for the files of all storages: `/storage/<namespace>/<name>/`. It only finds the way; each
 * storage decides by itself who may look.
 *
 * @example
 * ```ts
 * const proxy = new StorageProxy("files", {
 *   host: "files.example.com",
 *   tls: { secretName: "files-tls" },
 *   loadBalancer: { preset: "gke" },
 * });
 * new StorageAccessor("models", { namespace: "team-a", browse: { proxy: proxy.ref, credentials: [ … ] } });
 * ```
 */
export class StorageProxy extends pulumi.ComponentResource {
  /** Host name or address to which requests go. */
  public readonly address: pulumi.Output<string>;
  /** The namespace in which the proxy runs. */
  public readonly namespace: pulumi.Output<string>;
  /**
   * What storages need to use this proxy, in this program and in others: `browse.proxy`. The address that a LoadBalancer
   * gives is not in it.
   */
  public readonly ref: pulumi.Output<StorageProxyRef>;

  constructor(name: string, args: StorageProxyArgs, opts?: pulumi.ComponentResourceOptions) {
    const checked = checkArgs({ component: "StorageProxy", name, schema: m.storageProxySchema, args, opts });
    const plan = m.planStorageProxy(name, checked.args);
    super("drawbridge:index:StorageProxy", name, args, opts);
    const child: pulumi.CustomResourceOptions = { parent: this, ...checked.child };
    const namespace = plan.createNamespace
      ? [register(k8s.core.v1.Namespace, `${name}-namespace`, m.ownNamespace(plan), child)]
      : [];
    const inNamespace = pulumi.mergeOptions(child, { dependsOn: namespace });
    const walls = m.proxyNetworkPolicy(plan);
    const egress = register(k8s.networking.v1.NetworkPolicy, `${name}-egress`, walls, inNamespace);
    const walled = pulumi.mergeOptions(inNamespace, { dependsOn: [egress] });
    if (plan.mode === "istio") registerGateway(name, plan, walled, child);
    else registerRouter(name, plan, walled);
    const budget = m.proxyDisruptionBudget(plan);
    register(k8s.policy.v1.PodDisruptionBudget, `${name}-disruption`, budget, inNamespace);
    const balancer = m.proxyLoadBalancer(plan);
    const service = register(k8s.core.v1.Service, `${name}-load-balancer`, balancer, inNamespace);

    this.address = plan.host === undefined ? loadBalancerAddress(service) : pulumi.output(plan.host);
    this.namespace = output(plan.namespace);
    this.ref = refOf(reference(plan), [egress]);
    this.registerOutputs({ address: this.address, namespace: this.namespace, ref: this.ref });
  }
}

function reference(plan: m.StorageProxyPlan) {
  const { name, namespace, mode, scheme, port, host } = plan;
  return { name, namespace, mode, scheme, port, host };
}

/** The stock Envoy of `standalone`. */
function registerRouter(name: string, plan: m.StorageProxyPlan, opts: pulumi.CustomResourceOptions): void {
  const config = register(k8s.core.v1.ConfigMap, `${name}-config`, m.routerConfigMap(plan), opts);
  register(k8s.apps.v1.Deployment, `${name}-proxy`, m.routerDeployment(plan), {
    ...opts,
    dependsOn: [config],
  });
}

/** The gateway of `istio`, and who may add routes to it or take its pods. */
function registerGateway(
  name: string,
  plan: m.StorageProxyPlan,
  opts: pulumi.CustomResourceOptions,
  clusterWide: pulumi.CustomResourceOptions,
): void {
  const before = [
    register(k8s.core.v1.ServiceAccount, `${name}-service-account`, m.serviceAccount(plan.name, plan), opts),
    registerCustom(`${name}-settings`, m.gatewaySettings(plan), opts),
    registerCustom(`${name}-listener`, m.storageGateway(plan), opts),
    registerCustom(`${name}-unknown`, m.unknownStorageRoute(plan), opts),
    ...registerWalls(
      name,
      [plan.namespace],
      (namespace = "") => {
        const owner = { ...plan, namespace };
        return { owner, walls: m.storageProxyWalls(owner) };
      },
      clusterWide,
    ),
  ];
  register(k8s.apps.v1.Deployment, `${name}-proxy`, m.storageGatewayDeployment(plan), {
    ...opts,
    dependsOn: before,
  });
}
