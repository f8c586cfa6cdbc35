import { belongsTo, ends, isReplaced, kindOf, type Rule } from "../finding.ts";

const withoutVolumes = ["SshGateway", "FrpServer", "StorageProxy", "CertManager"];

/** A claim that is replaced, or deleted without being retained, takes people's data with it. */
export const volumeLost: Rule = {
  name: "volume-lost",
  protects: "homes and storages: a claim is never replaced, and never deleted with its data",
  check: (change) => {
    if (kindOf(change) === "Namespace" && isReplaced(change) && !belongsTo(change, ...withoutVolumes))
      return [`the namespace ${change.name} would be replaced, and every volume in it deleted`];
    if (kindOf(change) !== "PersistentVolumeClaim" || !ends(change)) return [];
    if (isReplaced(change)) return [`the volume ${change.name} would be replaced by an empty one`];
    return change.retained ? [] : [`the volume ${change.name} would be deleted with its data`];
  },
};
