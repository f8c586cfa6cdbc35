import type { Change } from "../change.ts";
import { at, belongsTo, ends, kindOf, type Rule, withSshd } from "../finding.ts";
import type { Inputs } from "../objects.ts";
import { hiddenPaths } from "../placeholder.ts";

export const lastKeyRemoved: Rule = {
  name: "last-key-removed",
  protects: "access: somebody can still log in to every container",
  check: (change, changes = []) => {
    if (kindOf(change) !== "ConfigMap" || !belongsTo(change, ...withSshd)) return [];
    if (!holdsKeys(change.before) || !opens(change.before)) return [];
    const isGone = ends(change) && change.after === undefined;
    if (isGone ? isRemoved(change, changes) : opens(change.after)) return [];
    return [`the last key of ${change.component?.name} would be removed, so nobody could log in`];
  },
};

const holdsKeys = (inputs: Inputs | undefined) =>
  ["authorized_keys", "user_ca_keys"].some((file) => at(inputs, "data", file) !== undefined);

/** By a key, or by a certificate of an authority for somebody. */
function opens(inputs: Inputs | undefined): boolean {
  const data = { ...(at(inputs, "data") as Inputs | undefined) };
  if (hiddenPaths(data, "data").length > 0) return true;
  const has = (file: string) =>
    String(data[file] ?? "")
      .split("\n")
      .some((line) => line.trim() !== "" && !line.trim().startsWith("#"));
  return has("authorized_keys") || (has("user_ca_keys") && has("principals"));
}

/** The keys go with the container, or come again as a replacement. */
function isRemoved({ component, urn }: Change, changes: readonly Change[]): boolean {
  return changes.some(
    (other) =>
      (other.urn === urn && other.after !== undefined) ||
      (other.op === "delete" && other.type === component?.type && other.name === component.name),
  );
}
