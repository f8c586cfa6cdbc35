/** Part of a Kubernetes object, as Kubernetes documents it. The API server checks its fields. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` has no counterpart in the schema for other languages.
export type AsInKubernetes = Record<string, any>;
