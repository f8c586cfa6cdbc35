/** Schemas of what a container may reach and what may reach it. */
import { z } from "zod";
import { oneOf, strict } from "../common/schema.ts";
import { cidr, dnsLabel, labelValue, port, proxyUrl, qualifiedName } from "../common/shapes.ts";
import { frpAccessSchema } from "../frp/frpc-args.ts";
import { identity } from "../gateway/args.ts";
import { sshGatewayRefSchema } from "../gateway/ref.ts";
import { sshpodSubjectsSchema } from "../sshpod/role.ts";

/** How a port is spoken to, for the URL in the outputs. */
export const PortScheme = { http: "http", https: "https", tcp: "tcp" } as const;
export type PortScheme = (typeof PortScheme)[keyof typeof PortScheme];

const portName = z.string().refine((value) => /^(?=.*[a-z])[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/.test(value), {
  error: "is not a port name; use at most 15 lower-case letters, digits and inner hyphens, with a letter",
});

export const portSchema = strict({ name: portName, port, throughGateway: z.boolean().default(false) });

export const accessSchema = strict({
  gateway: sshGatewayRefSchema.optional(),
  frp: frpAccessSchema.optional(),
  sshpod: sshpodSubjectsSchema.optional(),
  allowIdentities: z.array(identity).default([]),
  primaryPort: portName.optional(),
  scheme: oneOf(PortScheme).default("http"),
}).prefault({});

export const egressSchema = strict({
  internet: z.boolean().default(true),
  deny: z.array(cidr).default([]),
  allow: z.array(strict({ cidr, ports: z.array(port).default([]) })).default([]),
  dns: z.array(cidr).default([]),
}).prefault({});

export const ingressSchema = strict({
  namespace: dnsLabel.optional(),
  podLabels: z.record(qualifiedName, labelValue).default({}),
  ports: z.array(port).min(1, { error: "holds no port; give the ports that these pods may reach" }),
});

export const proxySchema = strict({
  http: proxyUrl.optional(),
  https: proxyUrl.optional(),
  except: z.array(z.string()).default([]),
});
