/** The Secret from which sshd gets its host keys. */

import { secret } from "../common/data.ts";
import { prefix } from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import type { SshdPlan } from "./plan.ts";
import { hostKeyFile, nextHostKeyFile } from "./sshd-config.ts";

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
  return secret(
    plan.names.hostKey,
    plan,
    { [hostKeyFile]: privateKey, [nextHostKeyFile]: next },
    { annotations: { [publicKeysAnnotation]: publicKeys } },
  );
}
