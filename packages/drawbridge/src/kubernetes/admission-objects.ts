import { type Input, known, knownWhereEqual, whenAllKnown, whenKnown } from "../kit/input.ts";
import {
  type AdmissionPolicy,
  admissionPolicy,
  admissionPolicyBinding,
  type PolicyOwner,
} from "./admission.ts";
import type { Manifest } from "./manifest.ts";
import { type Declared, declared } from "./objects.ts";

interface OwnedPolicies {
  readonly owner: PolicyOwner;
  readonly policies: readonly AdmissionPolicy[];
}

type PolicyKind = "ValidatingAdmissionPolicy" | "ValidatingAdmissionPolicyBinding";

/**
 * The policies of one owner, by which the API server refuses what would reach beyond a namespace. They belong to no
 * namespace, so they wait for none. Which there are does not depend on the owner's names; their texts do.
 * @param names those that stand in the policies
 */
export function admissionObjects(
  names: readonly Input<string>[],
  policiesOf: (...names: string[]) => OwnedPolicies,
): Record<string, Declared<PolicyKind>> {
  const owned = whenAllKnown(names, (all) => policiesOf(...all));
  // Made with two stand-ins for names that are not known yet: a text that differs depends on such a name.
  const standIns = (standIn: string) => policiesOf(...names.map((one) => known(one) ?? standIn));
  const [shape, other] = [standIns("later"), standIns("other")];
  const objects = shape.policies.flatMap(({ name }, index): [string, Declared<PolicyKind>][] => {
    const key = name === "" ? "admission" : `admission-${name}`;
    const made = <K extends PolicyKind>(
      make: (owner: PolicyOwner, policy: AdmissionPolicy) => Manifest<K>,
    ) => {
      const of = ({ owner, policies }: OwnedPolicies) => make(owner, policies[index] as AdmissionPolicy);
      return declared(knownWhereEqual(of(shape), of(other), whenKnown(owned, of)));
    };
    return [
      [key, made(admissionPolicy)],
      [`${key}-binding`, made(admissionPolicyBinding)],
    ];
  });
  return Object.fromEntries(objects);
}
