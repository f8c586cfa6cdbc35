/** The zod schema of StorageProxy's arguments; the documented interfaces are in the components package. */
import { z } from "zod";
import { ImagePullPolicy } from "../common/image.ts";
import { loadBalancerSchema } from "../common/load-balancer.ts";
import { checkPodMetadata, podMetadata } from "../common/pod-metadata.ts";
import { checkResources, resourcesSchema } from "../common/resources.ts";
import { schedulingSchema } from "../common/scheduling.ts";
import { across, oneOf, placed, strict } from "../common/schema.ts";
import { cidr, dnsLabel, domainName, imageReference, port, serviceName, whole } from "../common/shapes.ts";

/** Who routes a request to its storage. */
export const StorageProxyMode = { standalone: "standalone", istio: "istio" } as const;
export type StorageProxyMode = (typeof StorageProxyMode)[keyof typeof StorageProxyMode];

interface ModeAndHost {
  readonly mode?: string | undefined;
  readonly host?: string | undefined;
}

/** Where Istio routes, a more specific host name wins, so the name that visitors type must be one alone. */
export function hostFault(
  { mode, host }: ModeAndHost,
  fault: (path: PropertyKey[], message: string) => void,
) {
  if (mode !== StorageProxyMode.istio || host !== undefined) return;
  fault(
    ["host"],
    'is missing; mode "istio" needs one, such as "files.example.com", because without it a route for a more specific host could take visitors and their passwords',
  );
}

const fields = strict({
  name: serviceName.optional(),
  namespace: dnsLabel.optional(),
  createNamespace: z.boolean().default(true),
  mode: oneOf(StorageProxyMode).default("standalone"),
  host: domainName.optional(),
  port: port.optional(),
  tls: strict({ secretName: placed(dnsLabel) }).optional(),
  loadBalancer: loadBalancerSchema,
  replicas: whole(1, 100, "replicas").default(2),
  drainSeconds: whole(1, 24 * 3600, "seconds").default(60),
  image: placed(imageReference).optional(),
  imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
  istioRevision: dnsLabel.optional(),
  resources: resourcesSchema,
  scheduling: schedulingSchema,
  ...podMetadata,
  egress: strict({
    dns: z.array(cidr).default([]),
    istiod: z.array(cidr).default([]),
  }).prefault({}),
});

export const storageProxySchema = across(fields, (args, fault) => {
  hostFault(args, fault);
  checkResources(["resources"], args.resources, fault);
  checkPodMetadata(args, fault);
  if (args.mode !== StorageProxyMode.istio && (args.egress?.istiod?.length ?? 0) > 0) {
    fault(["egress", "istiod"], 'has no effect without mode "istio"; remove it');
  }
});

export type StorageProxyInput = z.input<typeof storageProxySchema>;
export type StorageProxyParsed = z.output<typeof storageProxySchema>;
