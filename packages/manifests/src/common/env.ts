/** A container's `env`: values, values of a Secret, and what must not be given twice. */
import { known, type Placed, whenKnown } from "./placed.ts";
import type { RaiseFault } from "./schema.ts";

/** Secret: the values of variables by the keys of their Secret. */
export type SecretValues = Readonly<Record<string, Placed<string>>>;

/**
 * Sources of variables whose values are secret. The pod refers to them by plain names: one secret in a container's `env`
 * would hide all of the pod's containers in a preview, whatever else changes there.
 * @param keyOf where a variable is in the Secret
 */
export function secretSources(secret: string, variables: object, keyOf = (name: string) => name) {
  return Object.fromEntries(
    Object.keys(variables).map((name) => [name, { secretKeyRef: { name: secret, key: keyOf(name) } }]),
  );
}

/** Variables with sources as a container's `env`. */
export function sourcedEnv(sources: Readonly<Record<string, object>>) {
  return Object.entries(sources).map(([name, valueFrom]) => ({ name, valueFrom }));
}

/** Variables with values as a container's `env`. The kubelet would expand `$(NAME)`, so each dollar sign is doubled. */
export function literalEnv(environment: Readonly<Record<string, Placed<string>>>) {
  return Object.entries(environment).map(([name, value]) => ({
    name,
    ...(known(value) === "" ? {} : { value: whenKnown(value, (text) => text.replaceAll("$", "$$$$")) }),
  }));
}

/** Raises a fault for each variable that two of the fields give. */
export function checkVariables(
  path: readonly PropertyKey[],
  fields: Readonly<Record<string, object | undefined>>,
  fault: RaiseFault,
): void {
  const given = new Map<string, string>();
  for (const [field, variables = {}] of Object.entries(fields)) {
    for (const name of Object.keys(variables)) {
      const other = given.get(name);
      if (other !== undefined) fault([...path, field, name], "variable-given-twice", { other });
      else given.set(name, field);
    }
  }
}
