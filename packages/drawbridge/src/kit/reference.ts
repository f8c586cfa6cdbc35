/** What a component gives out for others to use it, its `ref`. */
import { z } from "zod";
import { arg } from "./arg.ts";
import { type Deferred, type Input, isDeferred, whenKnown } from "./input.ts";
import { isPlainObject, plainSchemas } from "./schema.ts";
import { Secret } from "./secret.ts";
import { whole } from "./shapes.ts";
import { tokenOf } from "./type-token.ts";

/** The form of the refs of this version. Another number is for a form that those who know this one cannot read. */
export const referenceVersion = 2;

/** The field by which a component's own ref is told from values written by hand. */
export const versionField = {
  version: arg(whole(1, 1_000_000, "versions").optional(), "Version of this form, which a component sets.", {
    effect: [],
    default: "- values written by hand have none",
  }),
};

/**
 * A ref, whole or written out, known now or later. What is known later is read field by field. Fields that a component of a
 * later version has beside ours are left out, so that a newer platform does not break an older team; in values written by
 * hand they are mistakes.
 * @param component whose ref it is, which may stand in its place
 * @param address the field beside it that gets the component's address
 */
export function reference<F extends Fields>(
  fields: F,
  component: string,
  address?: string,
): z.ZodType<z.output<F>, Input<z.input<F>>> {
  const read = z.preprocess(
    // A secret is no ref: what it is made of would be in other objects.
    (given) =>
      isDeferred(given) && !(given instanceof Secret) ? readLater(given, fields) : readNow(given, fields),
    fields,
  );
  plainSchemas.add(read, {
    schema: fields,
    takes: { [tokenOf(component)]: "ref" },
    ...(address && { address }),
  });
  return read as z.ZodType<z.output<F>, Input<z.input<F>>>;
}

type Fields = z.ZodObject<z.ZodRawShape>;

function readLater(value: Deferred, { shape }: Fields): object {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      // It says how the other fields are read.
      if (name === "version") return [];
      const field = fieldOf(value, name);
      const inner = groupIn(schema);
      if (inner !== undefined) return [[name, readLater(field, inner)]];
      if (!(schema instanceof z.ZodDefault)) return [[name, field]];
      const standard: unknown = schema.def.defaultValue;
      return [[name, whenKnown(field, (known) => known ?? standard)]];
    }),
  );
}

/** Python sends the fields of an Output as it spells them. */
function fieldOf(value: Deferred, name: string): Deferred {
  const inPython = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const field = lifted(value, name);
  return inPython === name
    ? field
    : (whenKnown(field, (known) => known ?? lifted(value, inPython)) as Deferred);
}

/** An Output lifts its fields: one that is known is seen beside others that are not, and a field of undefined is undefined. */
function lifted(value: Deferred, name: string): Deferred {
  return "apply" in value
    ? ((value as unknown as Record<string, Deferred>)[name] as Deferred)
    : value.then((known) => (known as Record<string, unknown> | undefined)?.[name]);
}

/** A ref has a version; values written by hand stay as they are, so that an unknown field is refused. */
function readNow(value: unknown, fields: Fields): unknown {
  return isPlainObject(value) && value.version !== undefined ? knownFields(value, fields) : value;
}

function knownFields(value: Record<string, unknown>, { shape }: Fields): object {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      if (!Object.hasOwn(value, name)) return [];
      const field = value[name];
      const inner = groupIn(schema);
      return [[name, inner !== undefined && isPlainObject(field) ? knownFields(field, inner) : field]];
    }),
  );
}

function groupIn(schema: z.core.$ZodType | undefined): Fields | undefined {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? inner : undefined;
}
