/** Schemas of how one logs in: sshd, keys, certificates and the host's identity. */
import { z } from "zod";
import { resourcesSchema } from "../common/resources.ts";
import { oneOf, placed, strict } from "../common/schema.ts";
import { imageReference, port, whole } from "../common/shapes.ts";
import { authorizedKeyLine } from "../ssh/authorized-keys.ts";
import { minimumSeedLength } from "../ssh/host-key.ts";

/** Where sshd comes from. */
export const SshMode = { image: "image", injected: "injected", sidecar: "sidecar", none: "none" } as const;
export type SshMode = (typeof SshMode)[keyof typeof SshMode];

export const sshSchema = strict({
  mode: oneOf(SshMode).default("image"),
  image: placed(imageReference).optional(),
  port: port.default(22),
  resources: resourcesSchema,
  loginGraceSeconds: whole(5, 600, "seconds").default(30),
  maxStartups: whole(2, 10_000, "connections").default(200),
  endRevokedSessions: z.boolean().default(false),
}).prefault({});

const principal = z.string().refine((value) => /^[A-Za-z0-9._@+-]{1,64}$/.test(value), {
  error: "is not a principal; use at most 64 letters, digits and . _ @ + -",
});

export const userCaSchema = strict({
  keys: z
    .array(placed(authorizedKeyLine))
    .min(1, { error: "holds no key; give the public key of the certificate authority" }),
  principals: z.array(principal).default([]),
});

const seed = z.string().refine((value) => value.length >= minimumSeedLength, {
  error: (issue) =>
    `is too short (${String(issue.input).length} characters); give at least ${minimumSeedLength}, for example from: openssl rand -base64 32`,
});

const hostKeySource = {
  seed: placed(seed).optional(),
  privateKey: placed(z.string()).optional(),
  generation: whole(1, 1_000_000, "key generations").default(1),
};

const identity = z.string().refine((value) => /^[A-Za-z0-9][A-Za-z0-9._/-]{0,254}$/.test(value), {
  error: 'is not an identity; write it like "team-a/dev1"',
});

export const hostKeySchema = strict({
  ...hostKeySource,
  identity: identity.optional(),
  next: strict(hostKeySource).optional(),
});
