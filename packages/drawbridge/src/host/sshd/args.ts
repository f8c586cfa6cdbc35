/** Schemas of how one logs in: sshd, keys, certificates and the host's identity; and who may, across the arguments. */

import { z } from "zod";
import { arg, group, PlainReason } from "../../kit/arg.ts";

import { judgedBy } from "../../kit/guard.ts";
import { type InputList, isEmpty, known } from "../../kit/input.ts";
import { input, inputList, oneOf, type RaiseFault, secret } from "../../kit/schema.ts";
import { matching, whole } from "../../kit/shapes.ts";
import { resourcesArg } from "../../kubernetes/resources.ts";
import { imageReference, port } from "../../kubernetes/shapes.ts";
import type { FrpAccessParsed } from "../frpc/args.ts";
import { duplicateKeys, plainPublicKey } from "../keys/authorized-keys.ts";
import { isHostKey, noHostKey } from "../keys/host-key.ts";
import { longSecret } from "../keys/secret-text.ts";

/** Where sshd comes from. */
export const SshMode = { image: "image", injected: "injected", sidecar: "sidecar", none: "none" } as const;
export type SshMode = (typeof SshMode)[keyof typeof SshMode];

/** What bounds connections that are not logged in. */
export const sshTiming = {
  loginGraceSeconds: arg(
    input(whole(5, 600, "seconds")).default(30),
    "Seconds that a new connection has to log in, the time to type a passphrase or to touch a hardware key included.",
  ),
  maxStartups: arg(
    input(whole(2, 10_000, "connections")).default(200),
    "How many connections may wait for their login at once; from half of that on, some are refused at " +
      "random. Each costs memory of the container that runs sshd. All of them come from the gateway, " +
      "whose limits for each client keep one client from taking them all.",
  ),
};

const utcTime = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(value) && !Number.isNaN(Date.parse(value)), {
    error: '{{value}} is not a time in UTC; write it like "2026-11-24T09:30:00Z"',
  });

const sessionsValidFrom = arg(
  input(utcTime).optional(),
  "No session from before this time goes on: set it to now to end what a removed key, CA or principal still has open. " +
    "Changing it restarts the pod and ends all sessions; nothing that runs in a container could end one person's " +
    "sessions alone, since it would run as the same user.",
  {
    effect: ["restart"],
    default: "- sessions outlive the keys that opened them",
    example: '"2026-11-24T09:30:00Z"',
  },
);

const principal = matching(
  /^[A-Za-z0-9._@+-]{1,64}$/,
  "is not a principal; use at most 64 letters, digits and . _ @ + -",
);

export const userCaSchema = group("HostUserCaArgs", "A certificate authority for users (`ssh-keygen -s`).", {
  keys: arg(
    input(
      z
        .array(input(plainPublicKey))
        .min(1, { error: "has no key; set the public key of the certificate authority" }),
      "a list",
    ),
    "Its public keys. A change takes effect at the next login.",
    { guard: judgedBy("authorities", "foreign-ca") },
  ),
  principals: arg(inputList(principal).default([]), "A certificate must carry one of these names.", {
    default: "- the login name",
    guard: judgedBy("principals", "foreign-ca"),
  }),
});

/** Who may log in besides those with keys, and which sessions go on. */
export const sshLogins = {
  userCa: arg(userCaSchema.optional(), "A certificate authority whose user certificates may log in.", {
    effect: ["opens", "closes"],
  }),
  sessionsValidFrom,
};

/** For all sessions together. */
export const sessionResources = {
  requests: { cpu: "100m", memory: "512Mi" },
  limits: { memory: "512Mi" },
} as const;

export const sshSchema = group(
  "DevContainerSshArgs",
  "Where sshd comes from.",
  {
    mode: arg(
      oneOf(SshMode).default("image"),
      "`image`: the image holds and starts sshd. `injected`: any image; sshd is brought along and the shell sees the " +
        "image's own files. `sidecar`: sshd in a container of its own beside the application, with the same network " +
        "and volumes. `none`: no sshd; only the way over the Kubernetes API is left.",
      { plain: PlainReason.resources },
    ),
    image: arg(
      input(imageReference).optional(),
      "With `injected` the sshd-bundle image, with `sidecar` the image whose shell one lands in.",
    ),
    port: arg(input(port).default(22), "The port of sshd, of the Service and of the host name clients use.", {
      effect: ["restart", "opens", "closes"],
      guard: "daily",
    }),
    resources: resourcesArg("With `sidecar`: CPU and memory of all sessions together.", sessionResources),
    ...sshTiming,
    ...sshLogins,
  },
  { effect: ["restart"] },
).prefault({});

const hostKeySource = {
  seed: arg(
    secret(longSecret).optional(),
    "A secret of the stack, at least 32 characters, from which each container's key is derived. The " +
      "same seed, identity and generation give the same key in every stack.",
  ),
  privateKey: arg(
    secret(z.string().refine(isHostKey, noHostKey)).optional(),
    "An unencrypted ed25519 private key file's text.",
  ),
  generation: arg(
    input(whole(1, 1_000_000, "key generations")).default(1),
    "Counts the keys derived from one seed; another number is another key.",
  ),
};

const identity = matching(
  /^[A-Za-z0-9][A-Za-z0-9._/-]{0,254}$/,
  'is not an identity; write it like "team-a/dev1"',
);

export const hostKeySchema = group(
  "HostKeyArgs",
  "Exactly one of `seed` and `privateKey`. Both are kept secret in Pulumi's state.",
  {
    ...hostKeySource,
    identity: arg(
      input(identity).optional(),
      "What the key is derived for. Set the old one for a container that changed its name or namespace; besides " +
        "that it begins with the own `<namespace>/<name>/`. With another's a container has another's private key.",
      {
        default: '"<namespace>/<name>"',
        effect: ["restart", "data", "opens"],
        guard: { ...judgedBy("elsewhere", "secret-taken"), takes: true },
      },
    ),
    next: arg(
      group("HostNextKeyArgs", "Exactly one of `seed` and `privateKey`.", {
        ...hostKeySource,
        seed: arg(hostKeySource.seed, "A secret of the stack, at least 32 characters."),
        generation: arg(
          hostKeySource.generation,
          "Counts the keys derived from one seed; with the same seed set a higher one than now.",
        ),
      }).optional(),
      "The key that will replace this one: clients are told of it, and `knownHosts` holds both.",
      { effect: ["restart"] },
    ),
  },
  { effect: ["restart", "data"] },
);

/** The arguments that are looked at. */
interface Keyed {
  readonly ssh?: { readonly mode?: string; readonly userCa?: unknown } | undefined;
  readonly authorizedKeys?: InputList<string>;
  readonly hostKey?: z.output<typeof hostKeySchema> | undefined;
  readonly access?: { readonly frp?: Partial<FrpAccessParsed> | undefined } | undefined;
}

const oneSource = "needs exactly one of seed (derived per container) and privateKey (your own ed25519 key)";

/** Only a container has `ssh.mode`; an injected sshd has none. */
export function checkKeys({ ssh, authorizedKeys, hostKey, access }: Keyed, fault: RaiseFault): void {
  for (const [first, second] of duplicateKeys(known(authorizedKeys) ?? [])) {
    fault`authorizedKeys[${second}]: is the same key as authorizedKeys[${first}]; list each key once`;
  }
  const none = ssh?.mode === "none";
  const throughFrp = access?.frp?.enabled === false ? [] : (access?.frp?.authorizedKeys ?? []);
  if (!none && isEmpty(authorizedKeys ?? []) && isEmpty(throughFrp) && ssh?.userCa === undefined) {
    fault`authorizedKeys: has no key, so no login is possible; set at least one public key line`;
  }
  if (!none && hostKey === undefined)
    fault`hostKey: is missing; set its seed (derived per container) or privateKey (your own ed25519 key)`;
  if (hostKey !== undefined && (hostKey.seed === undefined) === (hostKey.privateKey === undefined)) {
    fault`hostKey: ${oneSource}`;
  }
  const next = hostKey?.next;
  if (next !== undefined && (next.seed === undefined) === (next.privateKey === undefined)) {
    fault`hostKey.next: ${oneSource}`;
  }
}
