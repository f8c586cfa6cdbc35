/** The arguments of StorageAccessor. */

import { z } from "zod";
import { arg, group, offByDefault, PlainReason, plainOnByDefault } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";

import { crossing, judgedBy, taking } from "../kit/guard.ts";
import { reference } from "../kit/reference.ts";
import { byName, input, inputList, oneOf, optionalInput, secret } from "../kit/schema.ts";
import { matching, whole } from "../kit/shapes.ts";
import {
  AccessMode,
  imagePullPolicy,
  imagePullPolicyOf,
  namespaceInput,
  podArg,
} from "../kubernetes/args.ts";
import { publicImages } from "../kubernetes/images.ts";
import { resourcesArg, resourcesSchema } from "../kubernetes/resources.ts";
import { schedulingSchema } from "../kubernetes/scheduling.ts";
import {
  absolutePath,
  dnsLabel,
  envName,
  hostOrAddress,
  imageReference,
  objectName,
  size,
} from "../kubernetes/shapes.ts";
import { storageProxyRefSchema } from "../storage-proxy/ref.ts";
import { groupId, storageName, storageRefSchema } from "./ref.ts";

/** What visitors may do besides looking and downloading. */
export const StorageAction = {
  upload: "upload",
  delete: "delete",
  search: "search",
  archive: "archive",
} as const;
export type StorageAction = (typeof StorageAction)[keyof typeof StorageAction];

const prepareSchema = group(
  "StoragePrepareArgs",
  "A Job that fills the volume once. It runs as the owner, without any privilege.",
  {
    image: arg(input(imageReference), "Its image, with a tag other than `latest` or a digest."),
    imagePullPolicy,
    command: arg(inputList(z.string()).optional(), "The program, instead of the image's own.", {
      example: '["sh", "-c"]',
    }),
    args: arg(inputList(z.string()).optional(), "Its arguments."),
    env: arg(
      z.record(envName, input(z.string())).default({}).transform(byName),
      "Its environment, as it is written: `$(NAME)` is not expanded. A secret is refused, since a Job is " +
        "readable in the cluster: give it in `secretEnv`.",
    ),
    secretEnv: arg(
      z.record(envName, secret(z.string())).default({}).transform(byName),
      "The same with secret values, whose names are plain. The values are in a Secret of the storage's own.",
      { example: '{ AWS_SECRET_ACCESS_KEY: config.requireSecret("s3Key") }' },
    ),
    copyFrom: arg(
      reference(storageRefSchema, "StorageAccessor").optional(),
      "Another storage of the same namespace to copy, instead of a command; the image must hold `cp`.",
    ),
    mountPath: arg(
      input(absolutePath).default("/workspace"),
      "Where the volume is mounted, and the program's working directory.",
    ),
    revision: arg(
      dnsLabel
        .refine((value) => value.length <= 12, { error: "is too long; use at most 12 characters" })
        .default("1"),
      "Another value runs the preparation again; nothing else does. At most 12 characters.",
      { effect: ["opens"], plain: PlainReason.names },
    ),
    activeDeadlineSeconds: arg(
      whole(1, 7 * 24 * 3600, "seconds").default(3600),
      "Seconds after which it counts as failed, all retries together.",
      { plain: PlainReason.option },
    ),
    backoffLimit: arg(
      input(whole(0, 19, "retries")).default(2),
      "How often it is tried again before it counts as failed; 0 for a single try.",
    ),
    resources: arg(resourcesSchema, "Its CPU and memory."),
  },
  { effect: [] },
);

// To Envoy an empty list is no list at all, and everybody would get in.
const claimValues = input(
  z
    .array(input(z.string().min(1)))
    .min(1, "is empty, so every token would be refused; set at least one value"),
  "a list",
);

const jwtSchema = group(
  "StorageJwtArgs",
  "Whose JSON Web Tokens are let in, as `Authorization: Bearer …`. They must carry an expiry.",
  {
    issuer: arg(
      input(z.string().min(1, 'is empty; set the "iss" of the tokens')),
      "The `iss` of the tokens.",
      {
        guard: judgedBy("tokens", "foreign-ca"),
      },
    ),
    audiences: arg(claimValues.optional(), "Accepted `aud`.", {
      effect: ["restart", "closes"],
      default: "- any",
      guard: judgedBy("tokens", "foreign-ca"),
    }),
    jwks: arg(
      input(z.string().refine(isKeySet, { error: 'is not a JSON Web Key Set; use its text, {"keys": […]}' })),
      "The issuer's public keys: the text of its JSON Web Key Set.",
      { guard: judgedBy("tokens", "foreign-ca") },
    ),
    claim: arg(
      input(
        matching(
          /^[A-Za-z0-9_:./-]+$/,
          "{{value}} is not the name of a claim; use letters, digits and _ : . / -",
        ),
      ).default("team"),
      "The claim that says whose token it is: a text or a list of texts.",
      { guard: judgedBy("tokens", "foreign-ca") },
    ),
    values: arg(claimValues, "Values of that claim to which this storage is open.", { guard: "daily" }),
    write: offByDefault("Whether these tokens may do what `actions` names of `upload` and `delete`.", {
      guard: crossing("write-credential", { when: true, isLater: true }),
    }),
    image: arg(
      input(imageReference).optional(),
      "The image of the program that checks the tokens, with `/usr/local/bin/envoy` in it.",
      { effect: ["restart"], default: "Envoy's own release" },
    ),
  },
  { effect: ["restart", "opens"] },
);

const accessUser = matching(
  /^[A-Za-z0-9._-]{1,64}$/,
  '{{value}} is not usable as a user\'s name; use up to 64 letters, digits, ".", "_" and "-"',
);

const minimumPasswordLength = 12;

/** What may stand in a rule of dufs (`user:password@/:rw`) without an escape. Messages never repeat a password. */
export const accessPassword = z
  .string()
  .refine(
    (value) => value.length >= minimumPasswordLength,
    `is too short; use at least ${minimumPasswordLength} characters, for example from: openssl rand -hex 16`,
  )
  .refine((value) => /^[\x21-\x7e]*$/.test(value) && !value.includes("@/") && !value.startsWith("$6$"), {
    error:
      'has characters that dufs does not accept; use printable ASCII without spaces, without "@/" and not beginning with "$6$"',
  });

/** Of the file server, and of the check of tokens before it. */
export const defaultResources = {
  requests: { cpu: "20m", memory: "32Mi" },
  limits: { memory: "256Mi" },
} as const;

const browseSchema = group(
  "StorageBrowseArgs",
  "A file server for one storage, read-only unless said otherwise. It lets nobody in without a credential.",
  {
    enabled: plainOnByDefault(
      PlainReason.resources,
      "Whether it runs. Switched off, its address answers 503.",
      {
        effect: ["restart", "closes"],
        guard: "daily",
      },
    ),
    proxy: arg(
      reference(storageProxyRefSchema, "StorageProxy", "address"),
      "The proxy through which it is reached: a {@link StorageProxy}, or the `ref` of one of another stack.",
    ),
    address: arg(
      optionalInput(hostOrAddress),
      "Where the proxy is reached, for `url`, if not at its own address. No object of the storage waits for it.",
      { effect: [], default: "the proxy's" },
    ),
    actions: arg(
      inputList(oneOf(StorageAction)).default([]),
      "What visitors may do besides looking and downloading; `upload` and `delete` only those with `write`.",
      { effect: ["restart", "opens"], default: "none", guard: "daily" },
    ),
    credentials: arg(
      z
        .array(
          group("StorageCredentialArgs", "A user of one storage.", {
            user: arg(input(accessUser), "Name to log in with.", { effect: ["restart", "opens", "closes"] }),
            password: arg(
              secret(accessPassword),
              "Password, at least 12 characters. It is kept secret in Pulumi's state.",
              { effect: ["restart"] },
            ),
            write: offByDefault("Whether the user may do what `actions` names of `upload` and `delete`.", {
              effect: ["restart", "opens"],
            }),
          }),
        )
        .default([]),
      "Users with passwords: for browsers, curl and WebDAV.",
      { guard: judgedBy("credentials", "write-credential") },
    ),
    jwt: arg(jwtSchema.optional(), "Whose tokens are let in: for programs."),
    image: arg(input(imageReference).default(publicImages.dufs), "The file server's image.", {
      default: "dufs 0.47.0",
    }),
    imagePullPolicy: imagePullPolicyOf("the images"),
    resources: resourcesArg("CPU and memory of each of its programs.", defaultResources),
  },
  { effect: ["restart"] },
);

export const storageAccessorFields = group(
  "StorageAccessorArgs",
  "Arguments of {@link StorageAccessor}.",
  {
    name: arg(
      orLogicalName(storageName),
      "Name of the storage, part of its address; at most 50 characters.",
      {
        default: "the component's logical name",
        plain: PlainReason.names,
      },
    ),
    namespace: arg(namespaceInput, "The namespace it lives in, part of its address. It must exist.", {
      effect: ["data", "opens"],
      guard: "daily",
    }),
    size: arg(input(size).default("20Gi"), "Size of the volume; a larger one is accepted in place.", {
      effect: ["cost"],
    }),
    storageClassName: arg(input(objectName).optional(), "StorageClass.", {
      default: "- the cluster's default class",
    }),
    accessMode: arg(
      input(oneOf(AccessMode)).default("ReadWriteOnce"),
      "How the volume may be mounted. With `ReadWriteOnce` all its pods share one node.",
    ),
    claimName: arg(
      input(objectName).optional(),
      "An existing claim to use instead of a new one, for example the one that an earlier stack left " +
        "behind (`<name>-storage`).",
      { effect: ["restart", "opens", "closes"], guard: taking },
    ),
    owner: arg(
      group("StorageOwnerArgs", "Owner of a storage's files.", {
        uid: arg(input(whole(1000, 2_000_000_000, "user ids")).default(1000), "User id, at least 1000."),
        gid: arg(input(groupId).default(1000), "Group id, which owns the volume."),
      }).prefault({}),
      "Whose files these are. Containers that mount the storage must have the same group.",
      { effect: ["restart"] },
    ),
    colocationGroup: arg(
      input(dnsLabel).optional(),
      "Pods with the same group share a node. Give storages that one container mounts together the same one.",
      { effect: ["restart"], default: "the storage's name; none with `ReadWriteMany`" },
    ),
    scheduling: arg(
      schedulingSchema,
      "Which nodes the preparation and the file server run on: those on which containers mount the storage too.",
      { effect: ["restart"] },
    ),
    pod: podArg,
    prepare: arg(prepareSchema.optional(), "What fills the volume, once, before anyone mounts it.", {
      guard: judgedBy("preparation", "write-credential"),
    }),
    browse: arg(browseSchema.optional(), "How people and programs see the files without a container."),
    wait: plainOnByDefault(
      PlainReason.option,
      "Whether `pulumi up` waits for preparation and file server. Without it a failed preparation shows " +
        "in `state` alone, at the next `pulumi up --refresh`.",
      { effect: [] },
    ),
  },
  { effect: ["data"] },
);

function isKeySet(text: string): boolean {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) && keys.length > 0;
  } catch {
    return false;
  }
}

export type StorageAccessorInput = z.input<typeof storageAccessorFields>;
export type StorageAccessorParsed = z.output<typeof storageAccessorFields>;
export type StoragePrepareParsed = z.output<typeof prepareSchema>;
export type StorageBrowseParsed = z.output<typeof browseSchema>;
