import { compact, type Manifest } from "../common/manifest.ts";
import type { LoadBalancerPreset, LoadBalancerScope } from "./args.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The gateway's own LoadBalancer: layer 4, for SSH alone, so bulk copies disturb no other traffic. */
export function gatewayLoadBalancer(plan: SshGatewayPlan): Manifest {
  const { loadBalancer } = plan;
  const ports = plan.listeners.map((listener) => listener.port);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: plan.name,
      namespace: plan.namespace,
      labels: plan.labels,
      annotations: {
        ...(plan.dnsName === undefined ? {} : { "external-dns.alpha.kubernetes.io/hostname": plan.dnsName }),
        ...presetAnnotations(loadBalancer.preset, loadBalancer.scope, ports),
        ...loadBalancer.annotations,
      },
    },
    spec: compact({
      type: "LoadBalancer",
      selector: plan.selector,
      // Keeps the client's own address for source ranges and the audit log.
      externalTrafficPolicy: "Local",
      loadBalancerClass: loadBalancer.className,
      loadBalancerIP: loadBalancer.address,
      loadBalancerSourceRanges: ifAny(loadBalancer.sourceRanges),
      ipFamilies: ifAny(loadBalancer.ipFamilies),
      ipFamilyPolicy: loadBalancer.ipFamilies.length > 1 ? "RequireDualStack" : undefined,
      ports: plan.listeners.map((listener) => ({
        name: `tcp-${listener.name}`,
        port: listener.port,
        targetPort: listener.port,
        protocol: "TCP",
      })),
    }),
  };
}

function ifAny<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** The annotations that a cloud needs for the scope and for sessions that stay quiet for long. */
export function presetAnnotations(
  preset: LoadBalancerPreset,
  scope: LoadBalancerScope,
  ports: readonly number[],
): Record<string, string> {
  const internal = scope === "internal";
  switch (preset) {
    case "aws-nlb":
      return {
        "service.beta.kubernetes.io/aws-load-balancer-type": "external",
        "service.beta.kubernetes.io/aws-load-balancer-nlb-target-type": "ip",
        "service.beta.kubernetes.io/aws-load-balancer-scheme": internal ? "internal" : "internet-facing",
        // An NLB in ip mode hides the client's address unless told to keep it.
        "service.beta.kubernetes.io/aws-load-balancer-target-group-attributes":
          "preserve_client_ip.enabled=true",
        // The longest the NLB allows; its default of 350 s cuts quiet sessions without keepalives.
        ...Object.fromEntries(
          ports.map((port) => [
            `service.beta.kubernetes.io/aws-load-balancer-listener-attributes.TCP-${port}`,
            "tcp.idle_timeout.seconds=6000",
          ]),
        ),
      };
    case "gke":
      return internal ? { "networking.gke.io/load-balancer-type": "Internal" } : {};
    case "aks":
      return {
        ...(internal ? { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" } : {}),
        "service.beta.kubernetes.io/azure-load-balancer-tcp-idle-timeout": "30",
      };
    // MetalLB pools and other clusters' LoadBalancers have no common notion of an internal scope.
    case "metallb":
    case "generic":
      return {};
  }
}
