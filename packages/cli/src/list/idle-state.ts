/** What the culler last said of a container, in the one Event that it keeps up to date. */
import type { SshTarget } from "@drawbridge-iac/manifests";
import type { Kube } from "../sshpod/kube.ts";

export interface IdleState {
  /** `Off`, `Asleep`, `Awake` or `WouldSleep`. */
  readonly state: string;
  readonly since: string;
  /** Why, and when it would sleep. */
  readonly text: string;
}

interface Event {
  readonly reason?: string;
  readonly message?: string;
  readonly firstTimestamp?: string;
}

/** Undefined for a container that never sleeps, and where the Event cannot be read. */
export async function idleState(
  target: SshTarget,
  loadKube: () => Promise<Kube>,
): Promise<IdleState | undefined> {
  if (!target.sleeps) return undefined;
  const { namespace, name } = target;
  try {
    const kube = await loadKube();
    const path = `/api/v1/namespaces/${namespace}/events/${name}.drawbridge-culler`;
    const { reason = "", message = "", firstTimestamp = "" } = await kube.get<Event>(path);
    return { state: reason, since: firstTimestamp, text: message };
  } catch {
    // Without the right to read Events, the rest of the list is still of use.
    return undefined;
  }
}
