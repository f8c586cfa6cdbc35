import { presetAnnotations } from "../common/load-balancer.ts";
import { compact, type Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** The one address of all storages, apart from the SSH gateway's so that neither disturbs the other. */
export function proxyLoadBalancer(plan: StorageProxyPlan): Manifest {
  const { loadBalancer } = plan;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: plan.name,
      namespace: plan.namespace,
      labels: plan.labels,
      annotations: {
        ...(plan.host === undefined ? {} : { "external-dns.alpha.kubernetes.io/hostname": plan.host }),
        ...presetAnnotations(loadBalancer, [plan.port]),
        ...loadBalancer.annotations,
      },
    },
    spec: compact({
      type: "LoadBalancer",
      selector: plan.selector,
      // Keeps the client's own address for source ranges and the access log.
      externalTrafficPolicy: "Local",
      loadBalancerClass: loadBalancer.className,
      loadBalancerIP: loadBalancer.address,
      loadBalancerSourceRanges: loadBalancer.sourceRanges.length > 0 ? loadBalancer.sourceRanges : undefined,
      ipFamilies: loadBalancer.ipFamilies.length > 0 ? loadBalancer.ipFamilies : undefined,
      ipFamilyPolicy: loadBalancer.ipFamilies.length > 1 ? "RequireDualStack" : undefined,
      ports: [{ name: plan.scheme, port: plan.port, targetPort: plan.port, protocol: "TCP" }],
    }),
  };
}
