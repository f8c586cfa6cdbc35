import { type Placed, whenKnown, whenListed } from "../common/placed.ts";
import { renderAuthorizedKeys } from "../ssh/authorized-keys.ts";
import { authorizedKeysConfigMap } from "./authorized-keys-config-map.ts";
import { hostKeySecret } from "./host-key-secret.ts";
import type { SshdPlan } from "./plan.ts";
import { sshdConfigMap } from "./sshd-config-map.ts";

/** The private keys are secret, the public ones in the order in which sshd has them. */
export interface ContainerHostKey {
  readonly privateKey: Placed<string>;
  readonly nextPrivateKey: Placed<string> | undefined;
  readonly publicKeys: Placed<string[]>;
}

/** A sshd's files: who may log in, the host key, and the rest. */
export function sshdManifests(plan: SshdPlan, hostKey: ContainerHostKey) {
  const { privateKey, nextPrivateKey, publicKeys } = hostKey;
  const keys = whenListed(plan.authorizedKeys, renderAuthorizedKeys);
  const caKeys = plan.userCa && whenListed(plan.userCa.keys, renderAuthorizedKeys);
  const lines = whenKnown(publicKeys, (known) => known.join("\n"));
  return {
    authorizedKeys: authorizedKeysConfigMap(plan, keys, caKeys),
    hostKey: hostKeySecret(plan, lines, privateKey, nextPrivateKey),
    sshd: sshdConfigMap(plan),
  };
}
