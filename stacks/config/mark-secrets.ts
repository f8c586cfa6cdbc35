import { isSecretField } from "@drawbridge-iac/manifests/stack";
import * as pulumi from "@pulumi/pulumi";

/** The same value with its secrets marked, so that they are encrypted in state and hidden in output. */
export function markSecrets<T>(value: T, name?: string): T {
  if (typeof value === "string") return (isSecretField(name) ? pulumi.secret(value) : value) as T;
  if (Array.isArray(value)) return value.map((inner) => markSecrets(inner)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, markSecrets(inner, key)])) as T;
}
