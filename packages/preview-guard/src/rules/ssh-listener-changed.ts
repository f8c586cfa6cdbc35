import { belongsTo, kindOf, type Rule } from "../finding.ts";

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
    if (change.op === "same" || change.op === "create" || change.op === "read") return [];
    const kind = kindOf(change);
    if (!belongsTo(change, "SshGateway") || !listenerKinds.has(kind)) return [];
    return [
      `${kind} ${change.name} of gateway ${change.component?.name} would change, which ends every open session on it after the drain time`,
    ];
  },
};
