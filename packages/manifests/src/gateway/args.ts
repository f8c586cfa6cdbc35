/** The zod schema of SshGateway's arguments; the documented interfaces are in the components package. */
import { z } from "zod";
import { showValue } from "../common/args-error.ts";
import { ImagePullPolicy } from "../common/image.ts";
import { across, oneOf, placed, strict } from "../common/schema.ts";
import {
  cidr,
  dnsLabel,
  domainName,
  hostOrAddress,
  imageReference,
  port,
  quantity,
  serviceName,
  stringMap,
  whole,
} from "../common/shapes.ts";

/** Who can reach the gateway's LoadBalancer. */
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

export const resourcesSchema = strict({
  requests: z.record(z.string(), quantity).optional(),
  limits: z.record(z.string(), quantity).optional(),
});

/** `auto` leaves the choice to Istio's injection. */
const proxyImage = z.string().refine((value) => value === "auto" || imageReference.safeParse(value).success, {
  error: (issue) =>
    `${showValue(issue.input)} is neither "auto" nor a pinned image; add a tag other than "latest" or a digest`,
});

export const sshGatewaySchema = across(
  strict({
    name: serviceName.optional(),
    namespace: dnsLabel.optional(),
    createNamespace: z.boolean().default(true),
    domain: domainName,
    listeners: strict({ plain: strict({ port: port.default(80) }).optional() }).default({
      plain: { port: 80 },
    }),
    loadBalancer: strict({
      preset: oneOf(LoadBalancerPreset).default("generic"),
      scope: oneOf(LoadBalancerScope).default("internal"),
      annotations: stringMap.default({}),
      sourceRanges: z.array(cidr).default([]),
      address: placed(hostOrAddress).optional(),
      className: z.string().optional(),
    }).prefault({}),
    replicas: whole(1, 100, "replicas").default(2),
    drainSeconds: whole(1, 7 * 24 * 3600, "seconds").default(3600),
    image: proxyImage.default("auto"),
    imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
    istioRevision: dnsLabel.optional(),
    resources: resourcesSchema.prefault({
      requests: { cpu: "100m", memory: "256Mi" },
      limits: { memory: "1Gi" },
    }),
    admissionPolicy: z.boolean().default(true),
  }),
  (args, fault) => {
    if (args.listeners !== undefined && args.listeners.plain === undefined) {
      fault(["listeners"], "names no listener, so nobody could connect; give plain: { port: 80 }");
    }
  },
);

export type SshGatewayInput = z.input<typeof sshGatewaySchema>;
export type SshGatewayParsed = z.output<typeof sshGatewaySchema>;
