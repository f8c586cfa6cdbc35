/** Objects that are one step away from one that a builder makes: a field more of its kind's schema, another value, a value less. */

/** What is used of a kind's schema. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

/** Of `spec`, as a CustomResourceDefinition has it in JSON. */
export function specSchema(definition: string): Schema {
  const { versions } = JSON.parse(definition).spec as {
    versions: { storage: boolean; schema: { openAPIV3Schema: Schema } }[];
  };
  const stored = versions.find(({ storage }) => storage)?.schema.openAPIV3Schema;
  if (stored?.properties?.spec === undefined) throw new Error("the kind has no schema of its spec");
  return stored.properties.spec;
}

type Step = readonly [path: string, object: unknown];

/** Something that the schema takes. */
function sample({
  type,
  enum: values,
  required = [],
  properties = {},
  items,
  additionalProperties,
}: Schema): unknown {
  if (values !== undefined) return values.at(-1);
  if (type === "object") {
    const fields = required.map((name) => [name, sample(properties[name] ?? {})]);
    return Object.fromEntries(additionalProperties ? [["a", sample(additionalProperties)]] : fields);
  }
  if (type === "array") return [sample(items ?? {})];
  if (type === "boolean") return true;
  // What looks like a duration is one, and any other text too.
  return type === "string" || type === undefined ? "1s" : 1;
}

export function stepsFrom(value: unknown, schema: Schema, path = ""): Step[] {
  const below = (key: string | number, inner: unknown, of: Schema, put: (changed: unknown) => unknown) =>
    stepsFrom(inner, of, `${path}${path === "" ? "" : "."}${key}`).map(([at, one]): Step => [at, put(one)]);
  if (Array.isArray(value)) {
    return value.flatMap((inner, index) =>
      below(index, inner, schema.items ?? {}, (one) => value.with(index, one)),
    );
  }
  if (typeof value !== "object" || value === null) {
    return [[`${path} changed`, typeof value === "number" ? value + 1 : `${value}x`]];
  }
  const has = Object.entries(value);
  const { properties = {}, additionalProperties } = schema;
  return [
    ...has.flatMap(([key, inner]) =>
      below(key, inner, properties[key] ?? additionalProperties ?? {}, (one) => ({ ...value, [key]: one })),
    ),
    ...has
      .filter(([, inner]) => typeof inner !== "object")
      .map(
        ([key]): Step => [`${path}.${key} gone`, Object.fromEntries(has.filter(([name]) => name !== key))],
      ),
    ...Object.entries(properties)
      .filter(([key]) => !Object.hasOwn(value, key))
      .map(([key, of]): Step => [`${path}.${key} more`, { ...value, [key]: sample(of) }]),
  ];
}
