import { belongsTo, ends, kindOf, type Rule } from "../finding.ts";

/** Everybody's known_hosts would refuse the container. */
export const hostKeyLost: Rule = {
  name: "host-key-lost",
  protects: "host keys: people's known_hosts stay true",
  check: (change) => {
    const isHostKey = kindOf(change) === "Secret" && change.name.endsWith("-host-key");
    if (!isHostKey || !belongsTo(change, "DevContainer")) return [];
    const container = change.component?.name;
    // A container that is removed takes its key with it only when the key is not retained; the same seed
    // gives the same key again, so a plain delete is the container's own removal.
    if (change.op === "delete") return [];
    if (ends(change)) return [`the host key of ${container} would be replaced`];
    const changed = change.differing.some((path) => /^(data|stringData)\b/.test(path));
    return change.op === "update" && changed ? [`the host key of ${container} would change`] : [];
  },
};
