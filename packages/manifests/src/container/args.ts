/** The zod schema of DevContainer's arguments; the documented interfaces are in the components package. */
import { z } from "zod";
import { ImagePullPolicy } from "../common/image.ts";
import { across, oneOf, placed, strict } from "../common/schema.ts";
import {
  absolutePath,
  dnsLabel,
  envName,
  imageReference,
  port,
  quantity,
  serviceName,
  userName,
  whole,
} from "../common/shapes.ts";
import { sshGatewayRefSchema } from "../gateway/ref.ts";
import { authorizedKeyLine, duplicateKeys } from "../ssh/authorized-keys.ts";
import { minimumSeedLength } from "../ssh/host-key.ts";

/** Where sshd comes from. */
export const SshdMode = { image: "image" } as const;
export type SshdMode = (typeof SshdMode)[keyof typeof SshdMode];

/** Whether the cluster may move the container while people work in it. */
export const EvictionPolicy = { never: "never", allowed: "allowed" } as const;
export type EvictionPolicy = (typeof EvictionPolicy)[keyof typeof EvictionPolicy];

export const AccessMode = {
  readWriteOnce: "ReadWriteOnce",
  readWriteOncePod: "ReadWriteOncePod",
  readWriteMany: "ReadWriteMany",
} as const;
export type AccessMode = (typeof AccessMode)[keyof typeof AccessMode];

const seed = z.string().refine((value) => value.length >= minimumSeedLength, {
  error: (issue) =>
    `is too short (${String(issue.input).length} characters); give at least ${minimumSeedLength}, for example from: openssl rand -base64 32`,
});

export const devContainerSchema = across(
  strict({
    name: serviceName.optional(),
    namespace: dnsLabel,
    image: imageReference,
    imagePullPolicy: oneOf(ImagePullPolicy).default("IfNotPresent"),
    sshd: strict({
      mode: oneOf(SshdMode).default("image"),
      port: port.default(22),
    }).prefault({}),
    user: strict({
      name: userName.default("jovyan"),
      uid: whole(1000, 2_000_000_000, "user ids").default(1000),
      gid: whole(1, 2_000_000_000, "group ids").default(1000),
    }).prefault({}),
    authorizedKeys: z
      .array(placed(authorizedKeyLine))
      .min(1, { error: "holds no key, so nobody could log in; give at least one public key line" }),
    hostKey: strict({ seed: placed(seed).optional(), privateKey: placed(z.string()).optional() }),
    home: strict({
      size: quantity.default("20Gi"),
      storageClass: dnsLabel.optional(),
      accessMode: oneOf(AccessMode).default("ReadWriteOnce"),
    }).prefault({}),
    resources: strict({
      cpu: quantity.default("1"),
      memory: quantity.default("2Gi"),
    }).prefault({}),
    environment: z.record(envName, z.string()).default({}),
    gateway: sshGatewayRefSchema.optional(),
    eviction: oneOf(EvictionPolicy).default("never"),
    wait: z.boolean().default(true),
    mounts: z
      .array(strict({ claim: dnsLabel, mountPath: absolutePath, readOnly: z.boolean().default(false) }))
      .default([]),
  }),
  (args, fault) => {
    for (const [first, second] of duplicateKeys(args.authorizedKeys ?? [])) {
      fault(["authorizedKeys", second], `is the same key as authorizedKeys[${first}]; give each key once`);
    }
    const { hostKey } = args;
    if (hostKey !== undefined && (hostKey.seed === undefined) === (hostKey.privateKey === undefined)) {
      fault(
        ["hostKey"],
        "needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)",
      );
    }
  },
);

export type DevContainerInput = z.input<typeof devContainerSchema>;
export type DevContainerParsed = z.output<typeof devContainerSchema>;
