/**
 * A resource as an argument, in the place of what is read of it: a component instead of its `ref`, a Namespace instead of
 * its name. What a row takes is said with its schema; here it is read, before anything is checked.
 */
import { z } from "zod";
import { groupTexts } from "./arg.ts";
import type { Fault, Problem } from "./fault.ts";
import { isDeferred, whenKnown } from "./input.ts";
import { bare, below, isPlainObject, plainOf, plainSchemas } from "./schema.ts";
import { classOf } from "./type-token.ts";

type Schema = z.core.$ZodType;

/** Pulumi's own marks of a resource: this file loads no Pulumi. */
interface Resource {
  readonly __pulumiType: string;
  readonly [output: string]: unknown;
}

export const isResource = (value: unknown): value is Resource =>
  typeof value === "object" && value !== null && Reflect.get(value, "__pulumiResource") === true;

const misplaced = new WeakMap<object, Problem>();

/**
 * What stands for a resource where none can stand. It holds no word of what the resource holds, and is a function, since no
 * schema takes one.
 * @param takes types of the resources that can stand there
 * @param field the field below that takes it
 */
function misplacedResource(resource: Resource, takes: readonly string[], field?: string): () => void {
  const [wanted] = takes.map(classOf);
  const ownName =
    field !== undefined
      ? `{ ${field}: … } with it`
      : "metadata" in resource
        ? "its metadata.name"
        : "the output of it that is meant";
  const standIn = () => undefined;
  misplaced.set(standIn, {
    message: `is ${withArticle(classOf(resource.__pulumiType))}, which cannot stand here; set ${wanted === undefined ? ownName : withArticle(wanted)}`,
  });
  return standIn;
}

const withArticle = (word: string) => `${/^(?:[AEIO]|Ssh)/.test(word) ? "an" : "a"} ${word}`;

const rowOf = (schema: Schema) => plainSchemas.get(bare(schema));

/**
 * The arguments, with what their rows read of resources in the place of these.
 * @param isUntyped whether other languages have no type for it, so that Python sends names as Python spells them
 */
export function withResourcesRead(schema: Schema | undefined, value: unknown, isUntyped = false): unknown {
  if (isResource(value)) return ofResource(schema, value);
  if (schema === undefined) return value;
  if (isDeferred(value)) {
    if (rowOf(schema)?.takes === undefined) return value;
    // Whether it is a resource is known no sooner than the value.
    return whenKnown<unknown, unknown>(value, (known) =>
      isResource(known) ? ofResource(schema, known) : known,
    );
  }
  const inner = plainOf(schema);
  const untyped =
    isUntyped || rowOf(schema)?.takes !== undefined || groupTexts.get(inner)?.shorthand !== undefined;
  const read = (item: unknown, key: PropertyKey) => withResourcesRead(below(inner, key), item, untyped);
  if (Array.isArray(value)) return value.map(read);
  if (!isPlainObject(value)) return value;
  const named = untyped ? namedAsIn(shapeOf(inner), value) : value;
  const entries = Object.entries(named).map(([key, item]) => [key, read(item, key)]);
  return { ...addressesIn(inner, named), ...Object.fromEntries(entries) };
}

/** Fields that Python has spelled, as the schema spells them: `mount_path`, `from_`. */
const namedAsIn = (shape: object, value: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.replace(/_$/, "").replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase());
      return [Object.hasOwn(shape, name) ? name : key, item];
    }),
  );

/** A component that stands where a group may is the group's field that takes it. */
function ofResource(schema: Schema | undefined, resource: Resource): unknown {
  const { __pulumiType: type } = resource;
  const takes = schema && rowOf(schema)?.takes;
  const path = takes?.[type];
  if (path !== undefined) return outputAt(resource, path);
  const field = schema && groupTexts.get(plainOf(schema))?.shorthand;
  const row = shapeOf(schema)[field ?? ""];
  if (field !== undefined && row !== undefined && rowOf(row)?.takes?.[type] !== undefined)
    return withResourcesRead(schema, { [field]: resource });
  const [below] = Object.entries(shapeOf(schema)).filter(
    ([, inner]) => rowOf(inner)?.takes?.[type] !== undefined,
  );
  return misplacedResource(resource, Object.keys(takes ?? {}), below?.[0]);
}

function shapeOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  const plain = schema && plainOf(schema);
  return plain instanceof z.ZodObject ? plain.shape : {};
}

/** The resources that nothing took, with their places. */
export function misplacedIn(value: unknown, path: readonly (string | number)[] = []): Fault[] {
  const found = typeof value === "function" ? misplaced.get(value) : undefined;
  if (found !== undefined) return [{ path, ...found }];
  if (Array.isArray(value)) return value.flatMap((item, index) => misplacedIn(item, [...path, index]));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => misplacedIn(item, [...path, key]));
}

/** The addresses of the components in a group: a ref has none before a LoadBalancer gets one. What is set there goes before. */
function addressesIn(group: Schema, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const found = Object.entries(shapeOf(group)).flatMap(([field, row]) => {
    const { address } = rowOf(row) ?? {};
    const component = value[field];
    if (address === undefined) return [];
    if (isResource(component)) return [[address, component.address]];
    return isDeferred(component)
      ? [[address, whenKnown(component, (known) => (isResource(known) ? known.address : undefined))]]
      : [];
  });
  return Object.fromEntries(found);
}

/** An Output lifts the fields of its value, so that one that is known is seen beside others that are not. */
function outputAt(resource: Resource, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => Reflect.get(Object(value), name), resource);
}
