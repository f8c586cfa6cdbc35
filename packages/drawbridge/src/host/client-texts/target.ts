/**
 * What a client must know to log in to one container: plain data, an output of the stack and the input of the
 * `drawbridge` command. It holds no secret.
 */
import { z } from "zod";
import { arg, group } from "../../kit/arg.ts";

import { oneOf, strict } from "../../kit/schema.ts";
import { absolutePath, dnsLabel, domainName, hostOrAddress, port } from "../../kubernetes/shapes.ts";

/** Marks a target among the outputs of a stack. */
export const sshTargetKind = "drawbridge/ssh-target/v1";

// One line of an OpenSSH public key without a comment; a certificate authority's key looks the same.
const publicKey = z
  .string()
  .regex(
    /^(ssh-|ecdsa-|sk-)[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}$/,
    "is not a public key; write it like ssh-ed25519 AAAA…",
  );

// Wider than what a container may be given, since an image may hold any user.
export const loginName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/,
    "is not a user name; use letters, digits, _, . and -, at most 32",
  );

/** The kinds of ways in. */
export const SshWayKind = {
  /** Through an Istio gateway, by HTTP CONNECT. */
  gateway: "gateway",
  /** Through an frp server, by HTTP CONNECT under a name of its own. */
  frp: "frp",
  /** Over the Kubernetes API to the sshd that the pod has itself. */
  sshpod: "sshpod",
} as const;
export type SshWayKind = (typeof SshWayKind)[keyof typeof SshWayKind];

const tls = z.boolean();

/** A way with the fields of all kinds, for languages that have no unions. */
const anyWay = group(
  "SshWay",
  "One way to reach a container.",
  {
    way: arg(oneOf(SshWayKind), "By what it leads."),
    address: arg(hostOrAddress.optional(), "Of `gateway` and `frp`: where it begins."),
    port: arg(port.optional(), "Of `gateway` and `frp`: the port there."),
    tls: arg(tls.optional(), "Whether that port speaks TLS; with `frp`, for the address."),
    serverName: arg(domainName.optional(), "Of `gateway`: the name on the certificate, if not the address."),
    mutual: arg(z.boolean().optional(), "Of `gateway`: whether the port asks for a client certificate."),
    hostName: arg(domainName.optional(), "Of `frp`: the name that frps knows."),
    pod: arg(dnsLabel.optional(), "Of `sshpod`: the pod's name."),
    namespace: arg(dnsLabel.optional(), "Of `sshpod`: the pod's namespace."),
  },
  { isOutput: true },
);

const gatewayWay = strict({
  way: z.literal("gateway"),
  address: hostOrAddress,
  port,
  tls: tls.default(false),
  serverName: domainName.optional(),
  mutual: z.boolean().default(false),
});

const frpWay = strict({
  way: z.literal("frp"),
  address: hostOrAddress,
  port,
  hostName: domainName,
  /** Absent where the address is without TLS. */
  tls: z.literal(true).optional(),
});

const sshpodWay = strict({ way: z.literal("sshpod"), pod: dnsLabel, namespace: dnsLabel });

export const sshWaySchema = anyWay.pipe(z.discriminatedUnion("way", [gatewayWay, frpWay, sshpodWay]));

export const sshTargetSchema = group(
  "SshTarget",
  "What the `drawbridge` command needs to know to log in to one container. It holds no secret.",
  {
    kind: arg(z.literal(sshTargetKind), "Marks it among a stack's outputs."),
    name: arg(dnsLabel, "The container's name."),
    namespace: arg(dnsLabel, "Its namespace."),
    user: arg(loginName, "Who logs in."),
    hostName: arg(domainName, "The name under which the host key is known, and which the gateway routes by."),
    port: arg(port, "Port of its sshd."),
    hostKeys: arg(
      z.array(publicKey).min(1, "has no key, so the host could not be verified"),
      "The host's public keys: one, or two while a key is rotated.",
    ),
    ways: arg(
      z.array(sshWaySchema).min(1, "has no way in"),
      "The ways in, in the order in which they are tried.",
    ),
    running: arg(
      z.literal(false).optional(),
      "Present and false where the stack has switched the container off.",
    ),
    sleeps: arg(
      z.literal(true).optional(),
      "Present and true where it sleeps when nobody uses it, so that no pod is no fault.",
    ),
    home: arg(absolutePath, "The folder that editors open."),
  },
  { isOutput: true },
);

/** One way to reach a container. */
export type SshWay = z.output<typeof sshWaySchema>;

/** Everything about logging in to one container. */
export type SshTarget = z.output<typeof sshTargetSchema>;
