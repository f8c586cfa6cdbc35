import { hashOf } from "../common/hash.ts";
import { prefix } from "../common/labels.ts";
import { compact } from "../common/manifest.ts";
import { type Placed, whenKnown } from "../common/placed.ts";
import { sshdFiles } from "./config-map.ts";
import type { SshdPlan } from "./plan.ts";

/** What sshd reads at start must roll the pod when it changes; the authorized keys must not, unless they are copied. */
export function sshdMarks(plan: SshdPlan, hostKeys?: Placed<string>, copied?: Placed<string>) {
  return compact({
    [`${prefix}/sshd-config`]: hashOf(sshdFiles(plan)),
    [`${prefix}/host-keys`]: hostKeys,
    [`${prefix}/authorized-keys`]: copied,
    // Programs that come by way of the Kubernetes API find the sshd that runs already.
    [`${prefix}/ssh-port`]: String(plan.ssh.port),
    [`${prefix}/ssh-user`]: plan.user.name,
  }) as Record<string, Placed<string>>;
}

/** Another key rolls the pod: sshd reads them at start. */
export const hostKeyMark = (publicKeys: Placed<string[]>) => whenKnown(publicKeys, (known) => hashOf(known));
