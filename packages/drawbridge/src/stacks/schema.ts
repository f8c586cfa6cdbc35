/** The team's interface: what a stack file may hold. Components check their own parts with their own schemas. */
import { z } from "zod";
import { devContainerSchema } from "../dev-container/args-checks.ts";
import { egressGatewaySchema } from "../egress-gateway/args.ts";
import { frpServerSchema } from "../frp-server/args.ts";
import { egressGatewayRefSchema } from "../host/egress/gateway.ts";
import { peopleSchema } from "../host/keys/people.ts";
import { frpServerRefSchema } from "../host/ways/frp.ts";
import { sshGatewayRefSchema } from "../host/ways/gateway.ts";
import { arg, PlainReason, plainOnByDefault } from "../kit/arg.ts";

import { strict } from "../kit/schema.ts";
import * as shapes from "../kubernetes/shapes.ts";
import { sshGatewaySchema } from "../ssh-gateway/args-checks.ts";
import { sshRouteSchema } from "../ssh-route/args.ts";
import { storageAccessorSchema } from "../storage-accessor/args-checks.ts";
import { storageName } from "../storage-accessor/ref.ts";
import { storageProxySchema } from "../storage-proxy/args.ts";
import { storageProxyRefSchema } from "../storage-proxy/ref.ts";
import { teamFields } from "../team/args.ts";
import { memberFields } from "../team/members.ts";
import { teamRefSchema } from "../team/ref.ts";

/** What the platform's components are called where its file gives no name. */
export const standardNames = {
  gateway: "ssh-ingress",
  frp: "frp",
  egressGateway: "egress",
  storageProxy: "files",
} as const;

/** A component's arguments as written in YAML; checked by the component's schema once defaults are filled in. */
const componentArgs = z.record(z.string(), z.unknown());

/** What their keys in a team's file must be, which are their logical names. */
export const componentNames = {
  storages: storageName,
  containers: shapes.containerName,
  routes: shapes.serviceName,
} as const;

/** One of the platform's teams; its name is its namespace. */
export const platformTeamSchema = strict(teamFields);

/** `drawbridge:platform`: what all teams share. */
export const platformFileSchema = strict({
  gateway: arg(sshGatewaySchema.optional(), "The way in through Istio."),
  frp: arg(componentArgs.optional(), "The way in through frp. Its seed is the secret drawbridge:frpSeed."),
  egressGateway: arg(egressGatewaySchema.optional(), "The way out by name, of containers with egress.hosts."),
  storageProxy: arg(storageProxySchema.optional(), "The one address of all storages' files."),
  people: arg(
    peopleSchema,
    "People by name, with their public keys and groups: every team's authorizedKeys may name them. Who leaves stays with keys: [].",
  ),
  teams: arg(
    z.record(shapes.ownNamespace, platformTeamSchema).default({}),
    "Teams by their namespaces: the platform makes the namespace, its isolation and the rights to deploy into it.",
  ),
});

/** `drawbridge:team`: one team's namespace and everything in it. */
export const teamFileSchema = strict({
  namespace: arg(shapes.ownNamespace, "The team's namespace, part of the host names of its containers.", {
    effect: ["restart", "data", "opens", "closes"],
  }),
  createNamespace: plainOnByDefault(
    PlainReason.resources,
    "Whether to create the namespace, with Pod Security restricted enforced and the mark of a team's. It is never deleted. false where the platform's `teams` makes it.",
    { effect: ["opens"] },
  ),
  quota: teamFields.quota,
  etcdSize: teamFields.etcdSize,
  limits: teamFields.limits,
  members: arg(
    strict(memberFields).prefault({}),
    "People, by the names that the cluster's authentication gives them.",
  ),
  people: arg(peopleSchema, "The team's own people, besides the platform's.", { effect: ["opens"] }),
  platform: arg(
    z.string().min(1, "is empty; set the name of the platform's stack").optional(),
    "The platform's stack: its outputs serve for whatever of gateway, frp, egressGateway and storageProxy is not given here.",
  ),
  gateway: arg(
    sshGatewayRefSchema.optional(),
    "The gateway of all containers, in plain: the platform's output of this name.",
  ),
  frp: arg(
    frpServerRefSchema.optional(),
    "The frps of containers with access.frp, in plain: the platform's output of this name.",
  ),
  egressGateway: arg(
    egressGatewayRefSchema.optional(),
    "The egress gateway of containers with egress.hosts, in plain: the platform's output of this name.",
  ),
  team: arg(
    teamRefSchema.optional(),
    "What the platform allows the team's containers, in plain: this namespace's of the platform's output teams.",
  ),
  storageProxy: arg(
    storageProxyRefSchema.optional(),
    "The proxy of storages with an accessor, in plain: the platform's output of this name.",
  ),
  storageDefaults: arg(
    componentArgs.default({}),
    "Arguments for every storage that does not set them itself.",
  ),
  storages: arg(z.record(componentNames.storages, componentArgs).default({}), "Storages by their names."),
  containerDefaults: arg(
    componentArgs.default({}),
    "Arguments for every container that does not set them itself.",
  ),
  containers: arg(
    z.record(componentNames.containers, componentArgs).default({}),
    "Containers by their names.",
  ),
  routeDefaults: arg(componentArgs.default({}), "Arguments for every route that does not set them itself."),
  routes: arg(
    z.record(componentNames.routes, componentArgs).default({}),
    "Routes to what runs already and has an sshd, by the names of the hosts: the arguments of SshRoute.",
  ),
});

export type PlatformConfig = z.output<typeof platformFileSchema>;
export type TeamConfig = z.output<typeof teamFileSchema>;

/** Schemas of the components whose arguments are written with defaults left out. */
export const componentSchemas = {
  frp: frpServerSchema,
  storages: storageAccessorSchema,
  containers: devContainerSchema,
  routes: sshRouteSchema,
} as const;
