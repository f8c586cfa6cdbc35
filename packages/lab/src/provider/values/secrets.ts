import { hasSecret, isMap, reveal, Secret, type Value, type ValueMap } from "./property.ts";

/**
 * Marks as secret in `values` what is secret in `like`, value by value, so that one secret in a big object hides only
 * itself. A list with a secret in it becomes secret as a whole, since the server may order it differently. The data of
 * a Kubernetes Secret is secret whatever the program said.
 */
export function keepSecrets(values: ValueMap, like: ValueMap): ValueMap {
  const marked = markLike(values, like);
  if (marked.kind !== "Secret") return marked;
  const hidden = ["data", "stringData"].filter((key) => marked[key] !== undefined);
  return { ...marked, ...Object.fromEntries(hidden.map((key) => [key, asSecret(marked[key]!)])) };
}

function markLike(values: ValueMap, like: ValueMap): ValueMap {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const model = like[key];
      if (isMap(value) && isMap(model)) return [key, markLike(value, model)];
      return [key, hasSecret(model) ? asSecret(value) : value];
    }),
  );
}

function asSecret(value: Value): Secret {
  // The engine refuses a secret inside a secret, hence the reveal.
  return value instanceof Secret ? value : new Secret(reveal(value));
}
