/** The zod schema of StorageProxy's arguments; the documented interfaces are in the components package. */
import { z } from "zod";
import { ImagePullPolicy } from "../common/image.ts";
import { oneOf, strict } from "../common/schema.ts";
import { dnsLabel, domainName, imageReference, port, serviceName, whole } from "../common/shapes.ts";
import { resourcesSchema, sshGatewaySchema } from "../gateway/args.ts";

/** Who routes a request to its storage. */
export const StorageProxyMode = { standalone: "standalone", istio: "istio" } as const;
export type StorageProxyMode = (typeof StorageProxyMode)[keyof typeof StorageProxyMode];

export const storageProxySchema = strict({
  name: serviceName.optional(),
  namespace: dnsLabel.optional(),
  createNamespace: z.boolean().default(true),
  mode: oneOf(StorageProxyMode).default("standalone"),
  host: domainName.optional(),
  port: port.optional(),
  tls: strict({ secretName: dnsLabel }).optional(),
  loadBalancer: sshGatewaySchema.shape.loadBalancer.unwrap().prefault({}),
  replicas: whole(1, 100, "replicas").default(2),
  drainSeconds: whole(1, 24 * 3600, "seconds").default(60),
  image: imageReference.optional(),
  imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
  istioRevision: dnsLabel.optional(),
  resources: resourcesSchema.prefault({
    requests: { cpu: "100m", memory: "128Mi" },
    limits: { memory: "512Mi" },
  }),
});

export type StorageProxyInput = z.input<typeof storageProxySchema>;
export type StorageProxyParsed = z.output<typeof storageProxySchema>;
