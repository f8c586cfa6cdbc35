/** Secrets that a preview shows in plain, as one of `--show-secrets` does: known by the rows of components' arguments. */
import { Secret } from "@drawbridge-iac/drawbridge/src/kit/secret";
import { secretsIn, withSecrets } from "@drawbridge-iac/drawbridge/src/kit/secret-places";
import type { State } from "./change.ts";
import { componentOf } from "./ours/components.ts";
import { isUnknown, secretText } from "./values.ts";

const marked = ({ type, inputs }: State): unknown => {
  const schema = componentOf(type)?.args;
  return schema === undefined ? inputs : withSecrets(schema, inputs);
};

/** Whether a component's secret can be read. Each is marked by the component, so that Pulumi hides it. */
export function showsSecrets(state: State): boolean {
  return secretsIn(marked(state)).some(({ secret }) => {
    const value = secret.reveal();
    return typeof value !== "string" || (value !== secretText && !isUnknown(value));
  });
}

/** A state of an earlier version, which may not have marked all that is a secret now. */
export function withoutSecrets(state: State): State {
  const hidden = (value: unknown): unknown => {
    if (value instanceof Secret) return secretText;
    if (Array.isArray(value)) return value.map(hidden);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hidden(inner)]));
  };
  return showsSecrets(state) ? { ...state, inputs: hidden(marked(state)) as State["inputs"] } : state;
}
