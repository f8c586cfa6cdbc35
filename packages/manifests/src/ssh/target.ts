/**
 * What a client must know to log in to one container: plain data, an output of the stack and the input of the
 * `drawbridge` command. It holds no secret.
 */
import { z } from "zod";
import { code } from "../common/fault.ts";
import { strict } from "../common/schema.ts";
import { absolutePath, dnsLabel, domainName, hostOrAddress, port } from "../common/shapes.ts";

/** Marks a target among the outputs of a stack. */
export const sshTargetKind = "drawbridge/ssh-target/v1";

// One line of an OpenSSH public key without a comment; a certificate authority's key looks the same.
const publicKey = z
  .string()
  .regex(/^(ssh-|ecdsa-|sk-)[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}$/, code("not-a-public-key"));

// Wider than what a container may be given, since an image may hold any user.
const loginName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/, code("not-a-login-name"));

/** Through an Istio gateway, by HTTP CONNECT. */
const gatewayWay = strict({
  way: z.literal("gateway"),
  address: hostOrAddress,
  port,
  /** Whether the listener speaks TLS. */
  tls: z.boolean().default(false),
  /** The name on the listener's certificate. @default the address */
  serverName: domainName.optional(),
  /** Whether the listener asks for a client certificate. */
  mutual: z.boolean().default(false),
});

/** Through an frp server, by HTTP CONNECT under a name of its own. */
const frpWay = strict({
  way: z.literal("frp"),
  address: hostOrAddress,
  port,
  hostName: domainName,
  /** Whether the port speaks TLS, with a certificate for the address. Absent where it does not. */
  tls: z.literal(true).optional(),
});

/** Over the Kubernetes API to the sshd that the pod has itself. */
const sshpodWay = strict({ way: z.literal("sshpod"), pod: dnsLabel, namespace: dnsLabel });

export const sshWaySchema = z.discriminatedUnion("way", [gatewayWay, frpWay, sshpodWay]);

export const sshTargetSchema = strict({
  kind: z.literal(sshTargetKind),
  name: dnsLabel,
  namespace: dnsLabel,
  user: loginName,
  /** The name under which the host key is known, and which the gateway routes by. */
  hostName: domainName,
  port,
  /** The host's public keys: one, or two while a key is rotated. */
  hostKeys: z.array(publicKey).min(1, code("no-host-key")),
  /** The ways in, in the order in which they are tried. */
  ways: z.array(sshWaySchema).min(1, code("no-way")),
  /** Present and false where the stack has switched the container off. */
  running: z.literal(false).optional(),
  /** Whether it sleeps when nobody uses it, so that no pod is no fault. */
  sleeps: z.literal(true).optional(),
  /** The folder that editors open. */
  home: absolutePath,
});

/** One way to reach a container. */
export type SshWay = z.output<typeof sshWaySchema>;

/** Everything about logging in to one container. */
export type SshTarget = z.output<typeof sshTargetSchema>;
