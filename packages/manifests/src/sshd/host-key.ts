/** The Secret with a host's keys, derived from its seed for its identity. The derivation itself: ssh/host-key.ts. */
import { prefix } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import { secret } from "../common/secret.ts";
import { deriveHostKey, type HostKey } from "../ssh/host-key.ts";
import { hostKeyFile, nextHostKeyFile } from "./config.ts";
import type { SshdPlan } from "./plan.ts";

/** The host key of a generation, derived for a container's identity. */
export function containerHostKey(identity: string, seed: string, generation: number): HostKey {
  return deriveHostKey(seed, generation === 1 ? identity : `${identity}#${generation}`);
}

/** Annotation with the public keys, a line each, the current one first: by it a preview shows a change of keys. */
export const publicKeysAnnotation = `${prefix}/public-keys`;

/** Names of the private keys in the Secret. */
export function hostKeyFiles({ hostKey }: Pick<SshdPlan, "hostKey">): string[] {
  return hostKey?.next === undefined ? [hostKeyFile] : [hostKeyFile, nextHostKeyFile];
}

/**
 * @param publicKeys the public keys, a line each, the current one first
 * @param privateKey secret: the text of the private host key
 * @param next secret: the key that will replace it, if a rotation is under way
 */
export function hostKeySecret(
  plan: SshdPlan,
  publicKeys: Placed<string>,
  privateKey: Placed<string>,
  next?: Placed<string>,
): Manifest<"Secret"> {
  const { names, namespace, labels } = plan;
  return secret(
    { name: names.hostKey, namespace, labels, annotations: { [publicKeysAnnotation]: publicKeys } },
    { [hostKeyFile]: privateKey, [nextHostKeyFile]: next },
  );
}
