import { hashOf } from "../common/hash.ts";
import { prefix } from "../common/labels.ts";
import { compact } from "../common/manifest.ts";
import { type Placed, whenKnown } from "../common/placed.ts";
import type { SshdPlan } from "./plan.ts";
import { sshdFiles } from "./sshd-config-map.ts";

/** Another value is another pod, the one thing that ends whatever a session left running. */
export const sessionsValidFromAnnotation = `${prefix}/sessions-valid-from`;

/**
 * Annotations of the pod: a change of what sshd reads at start rolls it. Authorized keys do not, since sshd reads them at each
 * login, except where they are copied at start (`containersInside`).
 */
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
