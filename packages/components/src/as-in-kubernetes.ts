/** Part of a Kubernetes object, as Kubernetes documents it; what it holds is the API server's to check. */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` has no counterpart in the schema for other languages.
export type AsInKubernetes = Record<string, any>;
