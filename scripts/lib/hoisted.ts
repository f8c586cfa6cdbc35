/** Equal parts of a JSON Schema, each written once. */
import { compact } from "@drawbridge-iac/manifests";

export interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  [keyword: string]: unknown;
}

/** The schema with every object that has a title moved to `definitions`, under its title. */
export function hoisted(schema: Schema): Schema {
  const definitions = new Map<string, Schema>();
  const body = withoutTitled(schema, definitions, true);
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...body, definitions: Object.fromEntries(sorted) };
}

function withoutTitled(schema: Schema, definitions: Map<string, Schema>, isTop = false): Schema {
  const inner = (one: Schema) => withoutTitled(one, definitions);
  const changed: Schema = {
    ...schema,
    ...compact({
      properties: schema.properties && mapped(schema.properties, inner),
      items: schema.items && inner(schema.items),
      additionalProperties:
        typeof schema.additionalProperties === "object" ? inner(schema.additionalProperties) : undefined,
      anyOf: schema.anyOf?.map(inner),
    }),
  };
  const { title, description, default: standard, ...rest } = changed;
  const said = compact({ description, default: standard });
  if (title === undefined || isTop) return { ...compact({ title }), ...said, ...rest };
  const name = String(title);
  const known = definitions.get(name);
  // A group that has other defaults in another place stays there.
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(rest)) return { ...said, ...rest };
  definitions.set(name, rest);
  const reference = { $ref: `#/definitions/${name}` };
  // Beside a reference nothing else is read.
  return Object.keys(said).length === 0 ? reference : { ...said, allOf: [reference] };
}

function mapped<T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
