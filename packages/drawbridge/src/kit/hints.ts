/** What to write instead, for a fault that shows what was meant: where a key belongs, what a group of arguments looks like. */
import { z } from "zod";
import { argTexts } from "./arg.ts";
import { type Fault, showValue } from "./fault.ts";
import { below, plainOf } from "./schema.ts";
import { alike, isBeginning, nearest, otherWord } from "./suggestion.ts";
import { reading } from "./zod-faults.ts";

type Schema = z.core.$ZodType;

/** Options of a Pulumi resource, which stand beside its arguments. */
const options =
  /^(additionalSecretOutputs|aliases|deletedWith|dependsOn|hooks|ignoreChanges|import|parent|protect|provider|providers|replaceOnChanges|retainOnDelete|transformations|transforms)$/;

export function hinted(root: Schema, fault: Fault): Fault {
  const { unknownKey, meant, wants, path } = fault;
  if (unknownKey !== undefined)
    return isElsewhere(root, unknownKey, meant) ? misplacedKey(root, fault, unknownKey) : fault;
  if (wants === undefined) return fault;
  const shape = shapeAt(
    path.reduce<Schema | undefined>((at, key) => at && below(at, key), root),
    fault,
  );
  return shape === undefined ? fault : { ...fault, message: `${fault.message}; write ${shape}` };
}

/** Whether a key is meant for another place: a key of just this name there goes before one beside it that is only like it. */
const isElsewhere = (root: Schema, key: string, meant: string | undefined) =>
  meant === undefined ||
  !(
    meant.startsWith(key) ||
    alike(key, meant) ||
    otherWord(key) === meant ||
    placesOf(root).every((place) => !alike(key, place.at(-1) ?? ""))
  );

function misplacedKey(root: Schema, fault: Fault, key: string): Fault {
  const says = (text: string) => ({ ...fault, message: `unknown key ${JSON.stringify(key)}; ${text}` });
  const own = [key, otherWord(key) ?? key];
  const all = placesOf(root).filter((place) => place.join(".") !== [...fault.path, key].join("."));
  const called = (is: (name: string, place: string) => boolean) =>
    all.filter((place) => own.some((name) => is(name, place.at(-1) ?? "")));
  const [places = []] = [
    called(alike),
    called(isBeginning),
    options.test(key) ? [] : called(isNearly),
  ].filter(({ length }) => length > 0);
  const least = Math.min(...places.map(({ length }) => length));
  const first = places.filter(({ length }) => length === least).map((place) => place.join("."));
  if (first.length > 0)
    return says(
      `did you mean ${new Intl.ListFormat("en", { type: "disjunction" }).format(first.slice(0, 3))}?`,
    );
  return options.test(key)
    ? says(`it is an option: it stands after the arguments, as { ${key}: … }, and in YAML below options`)
    : fault;
}

const isNearly = (word: string, key: string) => nearest(word, [key]) !== undefined;

/** Where keys stand, outside of lists and maps. */
function placesOf(schema: Schema, path: readonly string[] = []): (readonly string[])[] {
  const plain = plainOf(schema);
  if (!(plain instanceof z.ZodObject) || path.length > 3) return [];
  return Object.entries(plain.shape).flatMap(([key, inner]) => {
    const place = [...path, key];
    return [place, ...placesOf(inner, place)];
  });
}

/** How the value is written there: the group with the value in it, or an example. */
function shapeAt(schema: Schema | undefined, { value, isSecret, wants }: Wanting): string | undefined {
  if (schema === undefined) return undefined;
  const plain = plainOf(schema);
  const fields = plain instanceof z.ZodObject ? Object.entries(plain.shape) : [];
  const keys = fields.slice(0, 3).map(([key]) => key);
  const example =
    argTexts.get(schema as z.ZodType)?.example ??
    (keys.length > 0 ? `{ ${keys.join(": …, ")}: … }` : undefined);
  if (isSecret) return example;
  const shown = showValue(value);
  if (wants === "object") {
    const [field] = fieldFor(value, fields) ?? [];
    return field === undefined ? example : `{ ${field}: ${shown} }`;
  }
  const item = plain instanceof z.ZodArray ? (plain.element as Schema) : undefined;
  if (item === undefined) return example;
  const inner = takes(item, value) ? shown : shapeAt(item, { value, wants: "object" });
  return inner === undefined ? example : `[${inner}]`;
}

type Wanting = Pick<Fault, "value" | "isSecret" | "wants">;
type Field = [name: string, schema: Schema];

/** The field that the value was meant for: one that is needed, or whose usual value has the form of this one. */
function fieldFor(value: unknown, fields: readonly Field[]): Field | undefined {
  const taking = fields.filter(([, inner]) => takes(inner, value));
  const needed = taking.filter(([, inner]) => !takes(inner, undefined));
  if (typeof value !== "string" || needed.length > 0) return needed[0] ?? taking[0];
  const form = formOf(value);
  return taking.find(([name, inner]) =>
    form === undefined ? name === "name" : formOf(usual(inner)) === form,
  );
}

const takes = (schema: Schema, value: unknown) => z.safeParse(schema, value, reading).success;

/** The default, or the example. */
function usual(schema: Schema): unknown {
  const { data } = z.safeParse(schema, undefined, reading);
  return data ?? argTexts.get(schema as z.ZodType)?.example?.replaceAll('"', "");
}

const forms: Readonly<Record<string, RegExp>> = {
  bytes: /^\d+[KMGT]i?$/,
  cpu: /^\d+m?$/,
  network: /^[\da-f.:]+\/\d+$/i,
  path: /^\//,
  image: /^[\w.-]+\/.*:/,
};

/** What a text looks like; undefined for any other. */
const formOf = (text: unknown) =>
  typeof text === "string" ? Object.keys(forms).find((form) => forms[form]?.test(text)) : undefined;
