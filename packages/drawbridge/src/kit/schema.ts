import { z } from "zod";
import { ifMissing, type RaiseFault, raising } from "./fault.ts";
import { type Input, isDeferred } from "./input.ts";
import { nearest } from "./suggestion.ts";
import { faultsIn, missing, reading } from "./zod-faults.ts";

/**
 * An object that refuses unknown keys and names the known ones: a misspelt key must never do nothing.
 * @param ifNone what is wrong where there is none
 */
export function strict<Shape extends z.ZodRawShape>(shape: Shape, ifNone?: string) {
  // An issue of zod's own carries a text alone: here the known keys, which args-error.ts reads.
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? known : ifMissing(ifNone)(issue)),
  });
}

/** What a row takes besides its own values. */
export interface TakenResources {
  /** The resources that may stand for the value, by their types, and what is read of them: `metadata.name`. */
  readonly takes?: Readonly<Record<string, string>>;
  /** The field beside it that gets the component's address. */
  readonly address?: string;
}

/** The schema of the plain value behind an input() leaf, and whether the leaf is a secret(). */
export const plainSchemas = z.registry<
  { readonly schema: unknown; readonly isSecret?: boolean } & TakenResources
>();

/** The const object behind each oneOf(), for tools that name its type. */
export const choices = z.registry<{ readonly values: unknown }>();

/**
 * A leaf that may be resolved later: a plain value is checked now, a deferred one when all arguments are checked again.
 * @param takes resources that may stand for it
 */
export function input<S extends z.ZodType>(inner: S, wanted = "a string", takes?: TakenResources["takes"]) {
  const leaf = z
    // One that is missing ends no checks across fields.
    .custom<Input<z.input<S>>>((value) => value !== undefined, {
      error: missing(wanted).message,
      abort: false,
    })
    .superRefine((value, context) => {
      if (value === undefined || isDeferred(value)) return;
      const result = inner.safeParse(value, reading);
      for (const { path, ...problem } of result.success ? [] : faultsIn(result.error)) {
        context.addIssue({ code: "custom", params: { problem }, path: [...path], input: undefined });
      }
    });
  plainSchemas.add(leaf, { schema: inner, ...(takes && { takes }) });
  return leaf;
}

/** A leaf of which a Secret is made: a secret may stand here, and nowhere else (`secret-places.ts`). */
export function secret<S extends z.ZodType>(inner: S, wanted?: string) {
  const leaf = input(inner, wanted);
  plainSchemas.add(leaf, { schema: inner, isSecret: true });
  return leaf;
}

/** A value that may be left out, or be resolved later to none. */
export const optionalInput = <S extends z.ZodType>(inner: S, wanted?: string) =>
  input(inner.optional(), wanted).optional();

/** A list that may be resolved later, as a whole or item by item. */
export const inputList = <S extends z.ZodType>(item: S) => input(z.array(input(item)), "a list");

/**
 * One of the values of a const object, as in `export const Color = { red: "red" } as const`.
 * @param ifNone what is wrong where there is none
 */
export function oneOf<const T extends Record<string, string>>(values: T, ifNone?: string) {
  const allowed = Object.values(values);
  const choice = z.enum(allowed as [T[keyof T], ...T[keyof T][]], { error: ifMissing(ifNone) });
  choices.add(choice, { values });
  return choice;
}

/** An object in which exactly one of the fields is given. */
export function exactlyOne<S extends z.ZodObject>(schema: S, ...fields: string[]): S {
  return schema.refine((value) => fields.filter((field) => value[field] !== undefined).length === 1, {
    error: `needs exactly one of ${new Intl.ListFormat("en").format(fields)}`,
    // Beside another fault, such as an unknown key that was meant as one of them, this one may be wrong.
    when: ({ issues }) => issues.length === 0,
  });
}

export type { RaiseFault } from "./fault.ts";

/** Questions that a check across fields may ask, besides the fields' values. */
export interface Fields {
  isGiven(field: string): boolean;
  /** Whether there is no fault in the field. */
  isValid(...path: string[]): boolean;
}

/**
 * A check across fields that runs even when single fields are at fault, so that all faults come at once. It sees the
 * valid fields only, and what it says of the others is left out: their own faults are reported where they stand. So a
 * field with a default is undefined here only where it is at fault; of others, `isGiven` says whether they are there.
 * Of a list, what is at fault is left out; `isValid` says whether the list is whole.
 */
export function across<S extends z.ZodType>(
  schema: S,
  check: (value: Partial<z.output<S>>, fault: RaiseFault, fields: Fields) => void,
): S {
  return schema.superRefine(
    (value, context) => {
      if (!isPlainObject(value)) return;
      const wrong = context.issues.flatMap(wrongPlaces).filter((path) => path.length > 0);
      const valid = validPart(value, wrong);
      // A misspelt key gives what it was meant to give.
      const isGiven = (field: string) =>
        value[field] !== undefined || wrong.some(([first]) => first === field);
      check(
        valid.value as Partial<z.output<S>>,
        raising((path, problem) => {
          const place = valid.original(path);
          if (wrong.some((other) => overlap(other, place))) return;
          context.addIssue({ code: "custom", path: place, params: { problem }, input: undefined });
        }),
        { isGiven, isValid: (...path) => !wrong.some((other) => overlap(other, path)) },
      );
    },
    { when: () => true },
  );
}

/** The path that a fault makes unknown: its own, or the one that a misspelt key was meant for. */
function wrongPlaces(issue: z.core.$ZodRawIssue): PropertyKey[][] {
  const path = [...(issue.path ?? [])];
  if (issue.code !== "unrecognized_keys") return [path];
  const shape = (issue.inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape ?? {};
  return (issue.keys as string[]).flatMap((key) => {
    const meant = nearest(key, Object.keys(shape));
    const isGiven = meant !== undefined && Object.hasOwn((issue.input ?? {}) as object, meant);
    return meant === undefined || isGiven ? [] : [[...path, meant]];
  });
}

/**
 * A map that becomes a list, by its names: a plugin's arguments keep no order, and a list in another one restarts pods.
 */
export function byName<T extends object>(map: T): T {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}

/** The schema of the items of a list or map, or of a value that comes later. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const plain = bare(schema);
  const { def } = plain._zod as z.core.$ZodTypes["_zod"];
  const inner = plainSchemas.get(plain)?.schema as z.core.$ZodType | undefined;
  if (inner !== undefined) return innermost(inner);
  if (def.type === "array") return innermost(def.element);
  return def.type === "record" ? innermost(def.valueType) : plain;
}

/** The schema of a value that is there. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (plainSchemas.get(schema) !== undefined) return schema;
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  if (def.type === "pipe") return bare(def.in);
  return def.type === "optional" || def.type === "default" || def.type === "prefault"
    ? bare(def.innerType)
    : schema;
}

/** The schema of a value that is there and known. */
export function plainOf(schema: z.core.$ZodType): z.core.$ZodType {
  const plain = bare(schema);
  const inner = plainSchemas.get(plain)?.schema as z.core.$ZodType | undefined;
  return inner === undefined ? plain : plainOf(inner);
}

/** The schema one step below; a misspelt key stands for what it was meant to be. */
export function below(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const plain = plainOf(schema);
  if (plain instanceof z.ZodArray) return plain.element as z.core.$ZodType;
  if (plain instanceof z.ZodRecord) return plain.valueType as z.core.$ZodType;
  if (!(plain instanceof z.ZodObject)) return undefined;
  const own: z.core.$ZodType | undefined = Object.hasOwn(plain.shape, key)
    ? plain.shape[key as string]
    : undefined;
  return own ?? plain.shape[nearest(String(key), Object.keys(plain.shape)) ?? ""];
}

type Path = readonly PropertyKey[];

/** What is left of a value when the parts that are at fault are taken out of it. */
interface ValidPart {
  readonly value: unknown;
  /** Where a place in the valid part is in the original, whose lists may be longer. */
  original(path: Path): PropertyKey[];
}

export function isPlainObject(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether two places are the same, or one lies in the other. */
function overlap(a: Path, b: Path): boolean {
  return a.slice(0, b.length).every((part, index) => part === b[index]);
}

/** A wrong field of an object goes alone; anything wrong in an item of a list takes the whole item with it. */
function validPart(value: unknown, wrong: readonly Path[]): ValidPart {
  if (wrong.length === 0) return { value, original: (path) => [...path] };
  const below = (key: PropertyKey) => wrong.filter(([first]) => first === key).map((path) => path.slice(1));
  if (Array.isArray(value)) {
    const kept = [...value.keys()].filter((index) => below(index).length === 0);
    return {
      value: kept.map((index) => value[index]),
      original: ([index, ...rest]) => (index === undefined ? [] : [kept[index as number] ?? index, ...rest]),
    };
  }
  if (!isPlainObject(value)) return { value, original: (path) => [...path] };
  const parts = Object.keys(value)
    .filter((key) => !below(key).some((path) => path.length === 0))
    .map((key) => [key, validPart(value[key], below(key))] as const);
  const byKey = new Map<PropertyKey, ValidPart>(parts);
  return {
    value: Object.fromEntries(parts.map(([key, part]) => [key, part.value])),
    original: ([key, ...rest]) =>
      key === undefined ? [] : [key, ...(byKey.get(key)?.original(rest) ?? rest)],
  };
}
