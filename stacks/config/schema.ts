/** The team's interface: what a stack file may hold. Components check their own parts with their own schemas. */
import {
  devContainerSchema,
  frpServerSchema,
  placed,
  shapes,
  sshGatewayRefSchema,
  sshGatewaySchema,
  sshpodSubjectsSchema,
  storageAccessorSchema,
  storageProxyRefSchema,
  storageProxySchema,
  strict,
} from "@drawbridge-iac/manifests";
import { z } from "zod";

/** A component's arguments as written in YAML; checked by the component's schema once defaults are filled in. */
const componentArgs = z.record(z.string(), z.unknown());

/** `drawbridge:platform`: what all teams share. */
export const platformSchema = strict({
  gateway: sshGatewaySchema.optional(),
  /** Its `seed` is the secret `drawbridge:frpSeed`. */
  frp: componentArgs.optional(),
  storageProxy: storageProxySchema.optional(),
});

/** What containers must know of a FrpServer, as the platform's output `frp` has it. */
const frpServerRefSchema = strict({
  serverAddr: shapes.hostOrAddress,
  serverPort: shapes.port.default(7000),
  caBundle: placed(z.string()),
  connectHost: placed(shapes.hostOrAddress),
  connectPort: shapes.port.default(1337),
  domainSuffix: shapes.domainName,
  authorizer: strict({ namespace: shapes.dnsLabel, serviceAccount: shapes.serviceName }),
});

const quantities = z.record(z.string(), shapes.quantity);
const subjects = sshpodSubjectsSchema.prefault({});

/** `drawbridge:team`: one team's namespace and everything in it. */
export const teamSchema = strict({
  namespace: shapes.dnsLabel,
  createNamespace: z.boolean().default(true),
  /** The whole namespace's limits, in Kubernetes' own names (`requests.cpu`, `requests.storage`, `pods`). */
  quota: quantities.optional(),
  /** What a single container of a pod gets if it says nothing, and may have at most. */
  limits: strict({
    default: quantities.optional(),
    defaultRequest: quantities.optional(),
    max: quantities.optional(),
  }).optional(),
  /** People, by the names that the cluster's authentication gives them. */
  members: strict({
    /** They see every object of the namespace but Secrets. */
    viewers: subjects,
    /** They get into every pod over the Kubernetes API, the sshpod way. */
    sshpod: subjects,
  }).prefault({}),
  /** The platform's stack, whose outputs are used for whatever of the next three is not given here. */
  platform: z.string().min(1, { error: "is empty; give the name of the platform's stack" }).optional(),
  gateway: sshGatewayRefSchema.optional(),
  frp: frpServerRefSchema.optional(),
  storageProxy: storageProxyRefSchema.optional(),
  /** Arguments for every storage that does not set them itself. */
  storageDefaults: componentArgs.default({}),
  storages: z.record(shapes.serviceName, componentArgs).default({}),
  /** Arguments for every container that does not set them itself. */
  containerDefaults: componentArgs.default({}),
  containers: z.record(shapes.serviceName, componentArgs).default({}),
});

export type PlatformConfig = z.output<typeof platformSchema>;
export type TeamConfig = z.output<typeof teamSchema>;

/** Schemas of the components whose arguments are written with defaults left out. */
export const componentSchemas = {
  frp: frpServerSchema,
  storages: storageAccessorSchema,
  containers: devContainerSchema,
} as const;
