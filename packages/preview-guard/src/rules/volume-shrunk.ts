import { quantityValue } from "@drawbridge-iac/manifests";
import { at, kindOf, type Rule } from "../finding.ts";

/** Kubernetes refuses it, but only in the middle of the update. */
export const volumeShrunk: Rule = {
  name: "volume-shrunk",
  protects: "updates: none stops half-way because a claim may only grow",
  check: (change) => {
    if (kindOf(change) !== "PersistentVolumeClaim" || change.op !== "update") return [];
    const [before, after] = [sizeOf(change.before), sizeOf(change.after)];
    const [was, is] = [quantityValue(before), quantityValue(after)];
    if (was === undefined || is === undefined || is >= was) return [];
    return [
      `the volume ${change.name} would shrink from ${before} to ${after}, which Kubernetes refuses; keep ${before}`,
    ];
  },
};

const sizeOf = (inputs: unknown) => String(at(inputs, "spec", "resources", "requests", "storage"));
