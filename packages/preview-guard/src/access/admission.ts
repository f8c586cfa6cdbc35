/** Admission policies. New and stricter ones pass; any other change has to be read by a person. */
import { at } from "../finding.ts";
import { type Inputs, listAt, mapAt, type ObjectPair } from "../objects.ts";
import { crosses, type Effect, exactly, gains } from "./effect.ts";

export function policyEffects({ before, after, kind }: ObjectPair): Effect[] {
  if (after === undefined)
    return [crosses("wall-removed", `the ${kind} is removed, so what it refused is allowed`)];
  if (before === undefined) return [gains(`${kind} is new: ${deniesOf(after)}`)];
  return JSON.stringify(before.spec) === JSON.stringify(after.spec) || isStricter(before, after)
    ? []
    : [
        crosses(
          "wall-removed",
          exactly(`the ${kind} would judge otherwise; read its difference`, after.spec),
        ),
      ];
}

function deniesOf(inputs: Inputs): string {
  const count = listAt(inputs, "spec", "validations").length;
  return count === 0 ? "what it is bound to is refused" : `${count} conditions must hold`;
}

/** Whether the new policy demands all that the old one did, of at least the same requests. */
function isStricter(before: Inputs, after: Inputs): boolean {
  const rest = (inputs: Inputs) => {
    const { validations, matchConstraints, ...others } = inputs.spec as Inputs;
    const { resourceRules, ...limits } = mapAt({ matchConstraints }, "matchConstraints");
    return JSON.stringify([others, limits]);
  };
  const asked = (inputs: Inputs) => listAt(inputs, "spec", "validations").map((one) => at(one, "expression"));
  const now = asked(after);
  return (
    before.spec !== undefined &&
    after.spec !== undefined &&
    rest(before) === rest(after) &&
    requestsOf(before).every((one) => requestsOf(after).some((other) => isAmong(one, other))) &&
    asked(before).every((expression) => now.includes(expression))
  );
}

const requestsOf = (inputs: Inputs) => listAt(inputs, "spec", "matchConstraints", "resourceRules");

/** Whether the resource rule `other` covers all requests of `one`. */
function isAmong(one: unknown, other: unknown): boolean {
  const { operations: _, resources: __, ...rest } = mapAt(one);
  const { operations: ___, resources: ____, ...otherRest } = mapAt(other);
  const has = (list: "operations" | "resources") =>
    listAt(one, list).every((item) => listAt(other, list).includes(item));
  return JSON.stringify(rest) === JSON.stringify(otherRest) && has("operations") && has("resources");
}

/** Judges a kind of which only the removal opens something. */
export function removalOnly(what: string) {
  return ({ before, after, kind }: ObjectPair): Effect[] => {
    if (after === undefined) return [crosses("wall-removed", `the ${kind} is removed: ${what}`)];
    return before === undefined ? [gains(`${kind} is new`)] : [];
  };
}
