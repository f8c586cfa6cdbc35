/**
 * Where a secret may stand among arguments: in the rows of which a Secret is made, and nowhere else. The schemas say
 * so, before any value is looked at.
 */
import { z } from "zod";
import type { Fault, Problem } from "./fault.ts";
import { isDeferred } from "./input.ts";
import { bare, below, isPlainObject, plainOf, plainSchemas } from "./schema.ts";
import { Secret } from "./secret.ts";
import { faultsIn, reading } from "./zod-faults.ts";

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

const isSecretRow = (schema: Schema) => plainSchemas.get(bare(schema))?.isSecret === true;

/** The row of a place; of a place in a secret row, that row. */
function rowAt(schema: Schema, [key, ...rest]: Path): Schema | undefined {
  if (key === undefined || isSecretRow(schema)) return schema;
  const inner = below(schema, key);
  return inner && rowAt(inner, rest);
}

/** Whether a secret may stand at a place. */
export function isSecretPlace(schema: Schema, path: Path): boolean {
  const row = rowAt(schema, path);
  return row !== undefined && isSecretRow(row);
}

const holders = new WeakMap<Schema, boolean>();

/** Whether a secret may stand in a row, or somewhere below it. */
function holdsSecrets(schema: Schema): boolean {
  const known = holders.get(schema);
  if (known !== undefined) return known;
  const plain = plainOf(schema);
  const inner =
    plain instanceof z.ZodObject
      ? Object.values<Schema>(plain.shape)
      : plain instanceof z.ZodArray || plain instanceof z.ZodRecord
        ? [below(plain, "*") as Schema]
        : [];
  const holds = isSecretRow(schema) || inner.some(holdsSecrets);
  holders.set(schema, holds);
  return holds;
}

/** Whether what stands at a place may be a secret, or hold one, although it is of another type. */
export function mayHoldSecrets(schema: Schema, path: Path): boolean {
  const row = rowAt(schema, path);
  return row !== undefined && holdsSecrets(row);
}

/** The value, each plain one in a secret row marked as a secret. */
export function withSecrets(schema: Schema, value: unknown): unknown {
  if (value === undefined || value === null || isDeferred(value) || !holdsSecrets(schema)) return value;
  if (isSecretRow(schema)) return new Secret(value);
  const row = (key: PropertyKey) => below(schema, key);
  const marked = (inner: unknown, key: PropertyKey) => {
    const schema = row(key);
    return schema === undefined ? inner : withSecrets(schema, inner);
  };
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner, key)]));
}

/** The value with its secrets in plain. */
export function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revealed(inner)]));
}

interface SecretPlace {
  readonly path: readonly (string | number)[];
  readonly secret: Secret;
}

/** The secrets in a value, with their places. */
export function secretsIn(value: unknown, path: SecretPlace["path"] = []): SecretPlace[] {
  if (value instanceof Secret) return [{ path, secret: value }];
  if (Array.isArray(value)) return value.flatMap((inner, index) => secretsIn(inner, [...path, index]));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, [...path, key]));
}

/** What is wrong with a secret where none may stand: an object would hold it that is readable in the cluster. */
export const exposed = (path: Path): Problem => ({
  kind: "exposed",
  message:
    path.at(-2) === "env"
      ? "is a secret, and env is readable in the cluster; move it to secretEnv, or wrap it in pulumi.unsecret() if it is not sensitive"
      : "is a secret, and this argument ends in objects that are readable in the cluster; wrap it in pulumi.unsecret() if it is not sensitive",
});

/** The faults of a secret: that it stands there, or what its row says of its value, without a word of that. */
export function secretFaults(schema: Schema, { path, secret }: SecretPlace): Fault[] {
  const row = rowAt(schema, path);
  if (row === undefined || !(secret.isForClients || isSecretRow(row))) return [{ path, ...exposed(path) }];
  const value = secret.reveal();
  const result = value === undefined ? undefined : z.safeParse(plainOf(row), value, reading);
  const [first] = result?.error === undefined ? [] : faultsIn(result.error as z.ZodError, true);
  if (first === undefined) return [];
  return [{ path, message: first.message, isSecret: true }];
}
