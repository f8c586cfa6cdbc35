import type { Change } from "../change.ts";
import { at, kindOf, type Rule } from "../finding.ts";
import { joined } from "../report-text.ts";

/**
 * A component with another name is a new component and gets a new claim, while the old claim is kept and unused. A
 * removal with such a creation beside it looks like a renaming; a removal alone does not.
 */
export const volumeLeftBehind: Rule = {
  name: "volume-left-behind",
  protects: "data: who is renamed keeps home and storage",
  check: (change, changes = []) => {
    if (!isClaim(change) || change.op !== "delete" || !change.retained) return [];
    const old = change.component;
    const made = changes
      .filter((one) => isClaim(one) && one.op === "create" && suffixOf(one) === suffixOf(change))
      .filter(({ component }) => component?.type === old?.type && component?.name !== old?.name)
      .filter((one) => namespaceOf(one.after) === namespaceOf(change.before));
    if (made.length === 0) return [];
    const all = (names: readonly string[]) => joined(names, names.length);
    const begin = `${all(made.map(({ name }) => name))} ${made.length === 1 ? "begins" : "begin"} empty`;
    const called = `${made.length === 1 ? "" : "one of "}${all(made.map(({ component }) => component?.name ?? ""))}`;
    return [
      `the volume ${change.name} would stay behind unused while ${begin}; if ${old?.name} is called ${called} now, ${advice(change)}`,
    ];
  },
};

const isClaim = (change: Change) => kindOf(change) === "PersistentVolumeClaim";

/** The part of its component that a claim is: `home`, `persist` or `claim`. */
const suffixOf = ({ name, component }: Change) => name.slice((component?.name.length ?? 0) + 1);

const namespaceOf = (inputs: unknown) => at(inputs, "metadata", "namespace");

const argument: Readonly<Record<string, string>> = {
  home: "home.claimName",
  persist: "persistVolume.claimName",
  claim: "claimName",
};

/** How the renamed component keeps what it had. */
function advice(change: Change): string {
  const claim = `give it ${argument[suffixOf(change)]}: ${JSON.stringify(at(change.before, "metadata", "name"))}`;
  if (suffixOf(change) !== "home") return claim;
  const identity = `${String(namespaceOf(change.before))}/${change.component?.name}`;
  return `${claim} and hostKey.identity: ${JSON.stringify(identity)}`;
}
