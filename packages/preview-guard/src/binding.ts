/** Bindings of RBAC rights to people. */
import { at, kindOf } from "./finding.ts";
import type { Change } from "./preview.ts";

export const isBinding = (change: Change) => /^(Cluster)?RoleBinding$/.test(kindOf(change));

/** The people among a binding's subjects; a program's rights are part of what it belongs to. */
export function peopleOf(inputs: unknown): unknown[] {
  const subjects = at(inputs, "subjects");
  return (Array.isArray(subjects) ? subjects : []).filter(
    (subject) => at(subject, "kind") !== "ServiceAccount",
  );
}
