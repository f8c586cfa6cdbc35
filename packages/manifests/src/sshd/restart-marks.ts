import { hashOf } from "../common/crypto.ts";
import { prefix } from "../common/labels.ts";
import { compact } from "../common/manifest.ts";
import { type Placed, whenKnown } from "../common/placed.ts";
import type { SshdPlan } from "./plan.ts";
import { sshdFiles } from "./sshd-config-map.ts";

/** A new value makes a new pod; nothing less ends all that a session may have left running. */
export const sessionsValidFromAnnotation = `${prefix}/sessions-valid-from`;

/**
 * Annotations of the pod, which roll it when something changes that sshd reads at start. Authorized keys are read at
 * each login, so they are among them only where they are copied at start (`containersInside`).
 */
export function sshdMarks(plan: SshdPlan, hostKeys?: Placed<string>, copied?: Placed<string>) {
  return compact({
    [`${prefix}/sshd-config`]: hashOf(sshdFiles(plan)),
    [`${prefix}/host-keys`]: hostKeys,
    [`${prefix}/authorized-keys`]: copied,
    // By these, programs that come over the Kubernetes API find the sshd that is already running.
    [`${prefix}/ssh-port`]: String(plan.ssh.port),
    [`${prefix}/ssh-user`]: plan.user.name,
  }) as Record<string, Placed<string>>;
}

/** A changed host key rolls the pod: sshd reads host keys at start. */
export const hostKeyMark = (publicKeys: Placed<string[]>) => whenKnown(publicKeys, (known) => hashOf(known));
