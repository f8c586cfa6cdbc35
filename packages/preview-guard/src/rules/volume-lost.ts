import { ends, isReplaced, kindOf, type Rule } from "../finding.ts";

/** A claim that is replaced, or deleted without being retained, takes people's data with it. */
export const volumeLost: Rule = {
  name: "volume-lost",
  protects: "homes and storages: a claim is never replaced, and never deleted with its data",
  check: (change) => {
    if (kindOf(change) !== "PersistentVolumeClaim" || !ends(change)) return [];
    if (isReplaced(change)) return [`the volume ${change.name} would be replaced by an empty one`];
    return change.retained ? [] : [`the volume ${change.name} would be deleted with its data`];
  },
};
