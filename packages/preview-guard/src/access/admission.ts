/** Admission policies: walls in the API server. They may come and become stricter; what else, somebody has to read. */
import { at } from "../finding.ts";
import { type Inputs, listAt, type ObjectPair } from "../objects.ts";
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

/** The same things are asked, and more besides. */
function isStricter(before: Inputs, after: Inputs): boolean {
  const rest = (inputs: Inputs) => {
    const { validations, ...others } = inputs.spec as Inputs;
    return JSON.stringify(others);
  };
  const asked = (inputs: Inputs) => listAt(inputs, "spec", "validations").map((one) => at(one, "expression"));
  const now = asked(after);
  return (
    before.spec !== undefined &&
    after.spec !== undefined &&
    rest(before) === rest(after) &&
    asked(before).every((expression) => now.includes(expression))
  );
}

/** Rules of Istio that keep clients out. */
export function removalOnly(what: string) {
  return ({ before, after, kind }: ObjectPair): Effect[] => {
    if (after === undefined) return [crosses("wall-removed", `the ${kind} is removed: ${what}`)];
    return before === undefined ? [gains(`${kind} is new`)] : [];
  };
}
