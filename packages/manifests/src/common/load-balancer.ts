/** A LoadBalancer on layer 4, of whichever component. */
import { z } from "zod";
import { showValue } from "./args-error.ts";
import { compact, ifAny, type Manifest } from "./manifest.ts";
import { oneOf, placed, type RaiseFault, strict } from "./schema.ts";
import { cidr, hostOrAddress } from "./shapes.ts";

/** Who can reach a LoadBalancer. */
export const LoadBalancerScope = { internal: "internal", public: "public" } as const;
export type LoadBalancerScope = (typeof LoadBalancerScope)[keyof typeof LoadBalancerScope];

/** Whose LoadBalancer it is: decides the annotations for scope and idle time-out. */
export const LoadBalancerPreset = {
  generic: "generic",
  awsNlb: "aws-nlb",
  gke: "gke",
  aks: "aks",
  metallb: "metallb",
} as const;
export type LoadBalancerPreset = (typeof LoadBalancerPreset)[keyof typeof LoadBalancerPreset];

/** Which IP families a Service has. */
export const IpFamily = { ipv4: "IPv4", ipv6: "IPv6" } as const;
export type IpFamily = (typeof IpFamily)[keyof typeof IpFamily];

// No default: `generic` beside the default scope `internal` would say what several clouds do not do.
const choosePreset = `say whose LoadBalancer it is, one of ${Object.values(LoadBalancerPreset).join(", ")}; "generic" leaves it to the cluster, which in several clouds makes it public`;

const missingMessage = `is missing; give loadBalancer: { preset: … }: ${choosePreset}`;

const fields = {
  preset: oneOf(LoadBalancerPreset, `is missing; ${choosePreset}`),
  scope: oneOf(LoadBalancerScope).default("internal"),
  annotations: z.record(z.string(), placed(z.string({ error: "must be a string" }))).default({}),
  sourceRanges: z.array(placed(cidr)).default([]),
  ipFamilies: z
    .array(oneOf(IpFamily))
    .refine((families) => new Set(families).size === families.length, {
      error: (issue) => `${showValue(issue.input)} names a family twice; name each once`,
    })
    .default([]),
  address: placed(hostOrAddress).optional(),
  className: placed(z.string()).optional(),
};

export const loadBalancerSchema = strict(fields, missingMessage);

/** For a component that makes a LoadBalancer and was told nothing of it. */
export function missingLoadBalancer(fault: RaiseFault): void {
  fault(["loadBalancer"], missingMessage);
}

export type LoadBalancerParsed = z.output<typeof loadBalancerSchema>;

/** A port of a Service, TCP whatever speaks it. */
export interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: number | string;
  readonly protocol: "TCP";
}

/** A port that Istio and others leave at layer 4, as its name tells them. */
export const tcpPort = (name: string, port: number, targetPort: number | string = port): ServicePort => ({
  name: `tcp-${name}`,
  port,
  targetPort,
  protocol: "TCP",
});

/** What a LoadBalancer is made of. */
export interface Layer4LoadBalancer {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>>;
  /** What external-dns is to name the address. */
  readonly dnsName?: string | undefined;
  readonly loadBalancer: LoadBalancerParsed;
  readonly ports: readonly ServicePort[];
}

/** A Service of type LoadBalancer on layer 4, for whichever component. */
export function layer4LoadBalancer(service: Layer4LoadBalancer): Manifest {
  const { loadBalancer } = service;
  const numbers = service.ports.map(({ port }) => port);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: compact({
      name: service.name,
      namespace: service.namespace,
      labels: service.labels,
      // An empty map is none to the cluster, and for ever a difference to Pulumi.
      annotations: ifAny({
        ...(service.dnsName === undefined
          ? {}
          : { "external-dns.alpha.kubernetes.io/hostname": service.dnsName }),
        ...presetAnnotations(loadBalancer, numbers),
        ...loadBalancer.annotations,
      }),
    }),
    spec: compact({
      type: "LoadBalancer",
      selector: service.selector,
      // Keeps the client's own address for source ranges and the audit log.
      externalTrafficPolicy: "Local",
      loadBalancerClass: loadBalancer.className,
      loadBalancerIP: loadBalancer.address,
      loadBalancerSourceRanges: ifAny(loadBalancer.sourceRanges),
      ipFamilies: ifAny(loadBalancer.ipFamilies),
      ipFamilyPolicy: loadBalancer.ipFamilies.length > 1 ? "RequireDualStack" : undefined,
      ports: service.ports,
    }),
  };
}

/** The annotations that a cloud needs for the scope and for sessions that stay quiet for long. */
export function presetAnnotations(
  { preset, scope, ipFamilies }: Pick<LoadBalancerParsed, "preset" | "scope" | "ipFamilies">,
  ports: readonly number[],
): Record<string, string> {
  const internal = scope === "internal";
  switch (preset) {
    case "aws-nlb":
      return {
        "service.beta.kubernetes.io/aws-load-balancer-type": "external",
        "service.beta.kubernetes.io/aws-load-balancer-nlb-target-type": "ip",
        "service.beta.kubernetes.io/aws-load-balancer-scheme": internal ? "internal" : "internet-facing",
        // An NLB speaks IPv4 alone unless told otherwise, whatever the Service asks for.
        ...(ipFamilies.length > 1
          ? { "service.beta.kubernetes.io/aws-load-balancer-ip-address-type": "dualstack" }
          : {}),
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
