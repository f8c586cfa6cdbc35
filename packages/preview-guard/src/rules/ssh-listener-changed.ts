import type { Change } from "../change.ts";
import { at, belongsTo, ends, kindOf, type Rule } from "../finding.ts";

// Each of these is part of a listener of the proxy; a change drains it and ends its sessions.
const listenerKinds = new Set([
  "EnvoyFilter",
  "Gateway",
  "AuthorizationPolicy",
  "RequestAuthentication",
  "Telemetry",
]);

export const sshListenerChanged: Rule = {
  name: "ssh-listener-changed",
  protects: "open SSH sessions: a changed listener ends them all when its drain time is over",
  check: (change) => {
    if (!isListener(change)) return [];
    return [
      `${kindOf(change)} ${change.name} of gateway ${change.component?.name} would change, which ends every open session on it after the drain time`,
    ];
  },
};

/** Whether an existing part of a gateway's listeners changes. */
export function isListener(change: Change): boolean {
  if (!belongsTo(change, "SshGateway") || !listenerKinds.has(kindOf(change))) return false;
  // The proxy does not get labels and annotations.
  return ends(change) || (change.op === "update" && spec(change.before) !== spec(change.after));
}

const spec = (inputs: unknown) => JSON.stringify(at(inputs, "spec"));
