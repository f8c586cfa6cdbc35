/** The team's interface: what a stack file may hold. Components check their own parts with their own schemas. */
import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import {
  devContainerSchema,
  frpServerSchema,
  peopleSchema,
  placed,
  platformTeamSchema,
  rootNamespaceRefSchema,
  shapes,
  sshGatewayRefSchema,
  sshGatewaySchema,
  sshpodSubjectsSchema,
  storageAccessorSchema,
  storageProxyRefSchema,
  storageProxySchema,
  strict,
  teamLimitsSchema,
  teamQuotaSchema,
} from "../index.ts";

/** A component's arguments as written in YAML; checked by the component's schema once defaults are filled in. */
const componentArgs = z.record(z.string(), z.unknown());

/** `drawbridge:platform`: what all teams share. */
export const platformSchema = strict({
  gateway: sshGatewaySchema.optional().describe("The way in through Istio."),
  frp: componentArgs
    .optional()
    .describe("The way in through frp. Its seed is the secret drawbridge:frpSeed."),
  storageProxy: storageProxySchema.optional().describe("The one address of all storages' files."),
  people: peopleSchema.describe(
    "People by name, with their public keys and groups: every team's authorizedKeys may name them. Who leaves stays with keys: [].",
  ),
  teams: z
    .record(shapes.dnsLabel, platformTeamSchema)
    .default({})
    .describe(
      "Teams by their namespaces: the platform makes the namespace, its walls and the rights to deploy into it.",
    ),
});

/** What containers must know of a FrpServer, as the platform's output `frp` has it. */
export const frpServerRefSchema = group(
  "FrpServerRefArgs",
  "The fields of a container's `access.frp` that come from the server's side.",
  {
    serverAddr: arg(shapes.hostOrAddress, "Host name of frps inside the cluster."),
    serverPort: arg(shapes.port.default(7000), "Its port for frpc."),
    caBundle: arg(placed(z.string()), "The CA of its certificate, in PEM."),
    connectHost: arg(placed(shapes.hostOrAddress), "Host name or address at which ssh clients reach it."),
    connectPort: arg(shapes.port.default(1337), "Its CONNECT port."),
    connectTls: arg(z.boolean().optional(), "Whether that port speaks TLS."),
    domainSuffix: arg(shapes.domainName, "The suffix of the containers' names."),
    authorizer: arg(
      group(
        "DevContainerFrpAuthorizerArgs",
        "The service account that may read the hash of the container's token.",
        {
          namespace: arg(shapes.dnsLabel, "Its namespace."),
          serviceAccountName: arg(shapes.serviceName, "Its name, which is the FrpServer's."),
        },
      ),
      "The service account that checks tokens.",
    ),
  },
  { isOutput: true },
);

const subjects = sshpodSubjectsSchema.prefault({});

/** `drawbridge:team`: one team's namespace and everything in it. */
export const teamSchema = strict({
  namespace: shapes.dnsLabel.describe("The team's namespace, part of the host names of its containers."),
  createNamespace: z
    .boolean()
    .default(true)
    .describe(
      "Whether to create the namespace, with Pod Security restricted enforced and the mark of a team's. It is never deleted. false where the platform's `teams` makes it.",
    ),
  quota: teamQuotaSchema.optional(),
  limits: teamLimitsSchema.optional(),
  members: strict({
    viewers: subjects.describe("They see every object of the namespace but Secrets."),
    sshpod: subjects.describe("They get into every pod over the Kubernetes API, the sshpod way."),
  })
    .prefault({})
    .describe("People, by the names that the cluster's authentication gives them."),
  people: peopleSchema.describe("The team's own people, besides the platform's."),
  platform: z
    .string()
    .min(1, { error: "is empty; give the name of the platform's stack" })
    .optional()
    .describe(
      "The platform's stack: its outputs serve for whatever of gateway, frp and storageProxy is not given here.",
    ),
  gateway: sshGatewayRefSchema
    .optional()
    .describe("The gateway of all containers, in plain: the platform's output of this name."),
  frp: frpServerRefSchema
    .optional()
    .describe("The frps of containers with access.frp, in plain: the platform's output of this name."),
  rootNamespace: rootNamespaceRefSchema
    .optional()
    .describe(
      "What lets containers have root, in plain: this namespace's of the platform's output rootNamespaces.",
    ),
  storageProxy: storageProxyRefSchema
    .optional()
    .describe("The proxy of storages with an accessor, in plain: the platform's output of this name."),
  storageDefaults: componentArgs
    .default({})
    .describe("Arguments for every storage that does not set them itself."),
  storages: z.record(shapes.serviceName, componentArgs).default({}).describe("Storages by their names."),
  containerDefaults: componentArgs
    .default({})
    .describe("Arguments for every container that does not set them itself."),
  containers: z.record(shapes.serviceName, componentArgs).default({}).describe("Containers by their names."),
});

export type PlatformConfig = z.output<typeof platformSchema>;
export type TeamConfig = z.output<typeof teamSchema>;

/** Schemas of the components whose arguments are written with defaults left out. */
export const componentSchemas = {
  frp: frpServerSchema,
  storages: storageAccessorSchema,
  containers: devContainerSchema,
} as const;
