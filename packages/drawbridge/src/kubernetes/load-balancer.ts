import { z } from "zod";
import { arg, group, PlainReason } from "../kit/arg.ts";

import { crossing, judgedBy, networks } from "../kit/guard.ts";
import {
  type Input,
  type InputList,
  ifThere,
  isEmpty,
  known,
  text,
  whenKnown,
  whenSettled,
} from "../kit/input.ts";
import { input, inputList, oneOf, type RaiseFault } from "../kit/schema.ts";
import { compact, ifAny, type Manifest, metadataOf } from "./manifest.ts";
import { annotationMap, cidr, hostOrAddress, qualifiedName } from "./shapes.ts";
import type { Workload } from "./workload.ts";

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

const whose =
  'say whose LoadBalancer it is, one of generic, aws-nlb, gke, aks, metallb; "generic" leaves it to the cluster, which in several clouds makes it public';
const noLoadBalancer = `is missing; set loadBalancer: { preset: … }: ${whose}`;

const fields = {
  preset: arg(
    oneOf(LoadBalancerPreset, `is missing; ${whose}`),
    "Whose LoadBalancer it is: decides the annotations. `generic` sets none, for a cluster of one's " +
      "own, such as kind; on AWS, Google Cloud and Azure it would make the address public.",
    { example: '"gke"', guard: judgedBy("preset", "gateway-opened"), plain: PlainReason.form },
  ),
  scope: arg(
    input(oneOf(LoadBalancerScope)).default("internal"),
    "Whether it is reachable only inside the private network. `generic` and `metallb` leave that to the cluster.",
    { effect: ["opens"], guard: crossing("gateway-opened", { when: "public" }) },
  ),
  annotations: arg(annotationMap.default({}), "Further annotations; they win over the preset's.", {
    guard: judgedBy("annotations", "gateway-opened"),
  }),
  sourceRanges: arg(inputList(cidr).default([]), "Networks in CIDR notation whose clients may connect.", {
    effect: ["opens", "closes"],
    default: "- any",
    guard: networks("gateway-opened", { isEmptyAll: true }),
  }),
  ipFamilies: arg(
    z
      .array(input(oneOf(IpFamily)))
      .refine((families) => {
        const named = families.map(known).filter((family) => family !== undefined);
        return new Set(named).size === named.length;
      }, "{{value}} names a family twice; name each once")
      .default([]),
    "IP families of the LoadBalancer; two ask for both.",
    { default: "- the cluster's" },
  ),
  address: arg(input(hostOrAddress).optional(), "A fixed address, where the cloud supports one."),
  className: arg(
    input(qualifiedName).optional(),
    "`spec.loadBalancerClass`, where more than one controller is installed.",
  ),
};

// The preset has no default: `generic` beside the default scope `internal` would say what several clouds do not do.
export const loadBalancerSchema = group(
  "LoadBalancerArgs",
  "A LoadBalancer. It must work on layer 4; an HTTP one does not pass CONNECT.",
  fields,
  { effect: [], missing: noLoadBalancer },
);

/** For a component that makes a LoadBalancer whose arguments are missing. */
export function missingLoadBalancer(fault: RaiseFault): void {
  fault`loadBalancer: ${noLoadBalancer}`;
}

export type LoadBalancerParsed = z.output<typeof loadBalancerSchema>;

/** A port of a Service, TCP whatever speaks it. */
export interface ServicePort {
  readonly name: Input<string>;
  readonly port: Input<number>;
  readonly targetPort: Input<number | string>;
  readonly protocol: "TCP";
}

/** A port that Istio and others leave at layer 4, as its name tells them. */
export const tcpPort = (
  name: Input<string>,
  port: Input<number>,
  targetPort: Input<number | string> = port,
): ServicePort => ({
  name: text`tcp-${name}`,
  port,
  targetPort,
  protocol: "TCP",
});

/** What a LoadBalancer is made of. */
interface Layer4LoadBalancer extends Workload {
  /** What external-dns is to name the address. */
  readonly dnsName?: Input<string> | undefined;
  readonly loadBalancer: LoadBalancerParsed;
  readonly ports: readonly ServicePort[];
}

/** A Service of type LoadBalancer on layer 4, for whichever component. */
export function layer4LoadBalancer(service: Layer4LoadBalancer): Manifest<"Service"> {
  const { loadBalancer } = service;
  const numbers = service.ports.map(({ port }) => port);
  const { preset, scope, ipFamilies } = loadBalancer;
  // Which annotations there are, and one name among them, are made of these.
  const annotations = whenSettled({ scope, ports: preset === "aws-nlb" ? numbers : [] }, (known) =>
    // An empty map is none to the cluster, and for ever a difference to Pulumi.
    ifAny({
      ...compact({ "external-dns.alpha.kubernetes.io/hostname": service.dnsName }),
      ...presetAnnotations({ preset, scope: known.scope, ipFamilies }, known.ports),
      ...loadBalancer.annotations,
    }),
  );
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadataOf(service.name, service, ifThere(annotations)),
    spec: compact({
      type: "LoadBalancer",
      selector: service.selector,
      // Keeps the client's own address for source ranges and the audit log.
      externalTrafficPolicy: "Local",
      loadBalancerClass: loadBalancer.className,
      loadBalancerIP: loadBalancer.address,
      loadBalancerSourceRanges: sourceRanges(loadBalancer.sourceRanges),
      ipFamilies: ifAny(loadBalancer.ipFamilies),
      ipFamilyPolicy: loadBalancer.ipFamilies.length > 1 ? "RequireDualStack" : undefined,
      ports: [...service.ports],
    }),
  };
}

/** None given is any; a list that comes later and is empty lets nobody in, since Kubernetes would take that for any. */
function sourceRanges(ranges: InputList<string>) {
  if (isEmpty(ranges)) return undefined;
  return whenKnown(ranges, (known) => (known.length === 0 ? [nobody] : [...known]));
}

/** No client has this address. */
const nobody = "255.255.255.255/32";

/** The annotations that a cloud needs for the scope and for sessions that stay quiet for long. */
export function presetAnnotations(
  {
    preset,
    scope,
    ipFamilies,
  }: Pick<LoadBalancerParsed, "preset" | "ipFamilies"> & { readonly scope: LoadBalancerScope },
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
        // Minutes; its default of 4 cuts quiet sessions.
        "service.beta.kubernetes.io/azure-load-balancer-tcp-idle-timeout": "30",
      };
    // MetalLB pools and other clusters' LoadBalancers have no common notion of an internal scope.
    case "metallb":
    case "generic":
      return {};
  }
}
