import { at, belongsTo, kindOf, type Rule } from "../finding.ts";

export const lastKeyRemoved: Rule = {
  name: "last-key-removed",
  protects: "access: somebody can still log in to every container",
  check: (change) => {
    const isKeys = kindOf(change) === "ConfigMap" && change.name.endsWith("-authorized-keys");
    if (!isKeys || !belongsTo(change, "DevContainer") || change.after === undefined) return [];
    const text = at(change.after, "data", "authorized_keys");
    const before = at(change.before, "data", "authorized_keys");
    const empties = text === "" && before !== "" && before !== undefined;
    return empties
      ? [`the last key of ${change.component?.name} would be removed, so nobody could log in`]
      : [];
  },
};
