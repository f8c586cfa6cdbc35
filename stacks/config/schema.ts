/** The team's interface: what a stack file may hold. Components check their own parts with their own schemas. */
import {
  devContainerSchema,
  shapes,
  sshGatewayRefSchema,
  sshGatewaySchema,
  strict,
} from "@drawbridge-iac/manifests";
import { z } from "zod";

/** A component's arguments as written in YAML; checked by the component's schema once defaults are filled in. */
const componentArgs = z.record(z.string(), z.unknown());

/** `drawbridge:platform`: what all teams share. */
export const platformSchema = strict({
  gateway: sshGatewaySchema.optional(),
});

/** `drawbridge:team`: one team's namespace and everything in it. */
export const teamSchema = strict({
  namespace: shapes.dnsLabel,
  createNamespace: z.boolean().default(true),
  /** The whole namespace's limits, in Kubernetes' own names (`requests.cpu`, `requests.storage`, `pods`). */
  quota: z.record(z.string(), shapes.quantity).optional(),
  /** Groups of the identity provider that may look at the namespace. */
  viewers: z.array(z.string()).default([]),
  gateway: sshGatewayRefSchema.optional(),
  /** Name of the platform's stack, whose gateway address is put into the client's text. */
  platformStack: z.string().optional(),
  /** Arguments for every container that does not set them itself. */
  containerDefaults: componentArgs.default({}),
  containers: z.record(shapes.serviceName, componentArgs).default({}),
});

export type PlatformConfig = z.output<typeof platformSchema>;
export type TeamConfig = z.output<typeof teamSchema>;

/** Schemas of the components that stand in maps of a team's file. */
export const componentSchemas = { containers: devContainerSchema } as const;
