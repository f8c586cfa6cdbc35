import { publicKeysAnnotation } from "@drawbridge-iac/manifests";
import type { Change } from "../change.ts";
import { at, belongsTo, ends, kindOf, type Rule } from "../finding.ts";

/** Everybody's known_hosts would refuse the container. */
export const hostKeyLost: Rule = {
  name: "host-key-lost",
  protects: "host keys: people's known_hosts stay true",
  check: (change) => {
    const isHostKey = kindOf(change) === "Secret" && change.name.endsWith("-host-key");
    if (!isHostKey || !belongsTo(change, "DevContainer", "InjectedSshd")) return [];
    const container = change.component?.name;
    // A plain delete is the removal of the container itself; the same seed gives the same key again.
    if (change.op === "delete") return [];
    if (ends(change)) return [`the host key of ${container} would be replaced`];
    if (change.op !== "update" || !isChanged(change)) return [];
    return [`the host key of ${container} would change`];
  },
};

/** Secrets are hidden in a preview; their public halves stand beside them, the current one first. */
function isChanged(change: Change): boolean {
  const [current, next] = publicKeys(change.before);
  const [coming] = publicKeys(change.after);
  if (current === undefined || coming === undefined) {
    // A container of an earlier version, or a key that is not known yet: any change of the secret may be one of the key.
    return change.differing.some((path) => /^(data|stringData)\b/.test(path));
  }
  // Clients were told of the next key, so that they know it when it becomes the current one.
  return coming !== current && coming !== next;
}

function publicKeys(inputs: unknown): string[] {
  const text = at(inputs, "metadata", "annotations", publicKeysAnnotation);
  return typeof text === "string" ? text.split("\n") : [];
}
