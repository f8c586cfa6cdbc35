/** The JSON Schema of `Pulumi.<stack>.yaml`, with which editors complete and check the file while one types. */

import { namedFields } from "@drawbridge-iac/drawbridge/src/host/keys/people";
import { groupTexts } from "@drawbridge-iac/drawbridge/src/kit/arg";
import { plainSchemas } from "@drawbridge-iac/drawbridge/src/kit/schema";
import { compact } from "@drawbridge-iac/drawbridge/src/kubernetes/manifest";
import { keyHolders } from "@drawbridge-iac/drawbridge/src/stacks/people";
import {
  componentSchemas,
  platformFileSchema,
  teamFileSchema,
} from "@drawbridge-iac/drawbridge/src/stacks/schema";
import { storageRefSchema } from "@drawbridge-iac/drawbridge/src/storage-accessor/ref";
import { z } from "zod";
import { paragraph, textsOf } from "./argument-groups.ts";

export const stackSchemaFile = "stacks/schema.json";

interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  [keyword: string]: unknown;
}

/** A value that Pulumi encrypted. */
const secure: Schema = {
  type: "object",
  properties: { secure: { type: "string" } },
  required: ["secure"],
  additionalProperties: false,
  description: "Secret: set it with pulumi config set --path --secret.",
};

export function stackSchema(): Schema {
  const platform = plain(platformFileSchema);
  const team = plain(teamFileSchema);
  replace(platform, "frp", part(componentSchemas.frp, ["seed"]));
  const storage = part(componentSchemas.storages, ["namespace"]);
  const container = part(componentSchemas.containers, ["namespace"]);
  const route = part(componentSchemas.routes, ["namespace"]);
  allowStorageNames(container);
  allowNames(container);
  for (const [name, args] of [
    ["storage", storage],
    ["container", container],
    ["route", route],
  ] as const) {
    replace(team, `${name}Defaults`, args);
    replace(team, `${name}s`, { type: "object", additionalProperties: args });
  }
  return hoisted({
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A stack of drawbridge: the platform, or one team",
    type: "object",
    properties: {
      config: {
        type: "object",
        properties: {
          "drawbridge:platform": platform,
          "drawbridge:team": team,
          "drawbridge:hostKeySeed": secure,
          "drawbridge:frpSeed": secure,
          "drawbridge:imageRegistry": {
            type: "string",
            description:
              "Where copies are of all images that no argument names, as registry.example.com/team.",
          },
        },
      },
    },
  });
}

/**
 * A schema as it is written: values that may come later are written as what they will be, secrets as what Pulumi makes of
 * them. An object has its group's name as `title`.
 */
function plain(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const inner = plainSchemas.get(zodSchema)?.schema as z.ZodType | undefined;
      if (inner !== undefined) Object.assign(jsonSchema, plain(inner));
      if (plainSchemas.get(zodSchema)?.isSecret) jsonSchema.isSecret = true;
      // The bounds of every JavaScript number say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const group = groupTexts.get(zodSchema);
      if (group !== undefined && jsonSchema.type === "object") jsonSchema.title = group.name;
      const texts = textsOf(zodSchema);
      if (texts !== undefined) jsonSchema.description ??= paragraph(texts);
    },
  }) as Schema;
  return withSecrets(rest);
}

function withSecrets(schema: Schema): Schema {
  if (schema.isSecret === true) {
    const texts = [schema.description, secure.description].filter((text) => text !== undefined);
    return { ...secure, description: texts.join(" ") };
  }
  return withChanged(schema, withSecrets);
}

/**
 * The schema with another one in the place of each that stands directly in it.
 * @param change gets the step of the path that leads there, if there is one
 */
function withChanged(schema: Schema, change: (one: Schema, ...steps: string[]) => Schema): Schema {
  const { properties, items, additionalProperties, anyOf } = schema;
  return {
    ...schema,
    ...compact({
      properties: properties && mapped(properties, change),
      items: items && change(items, "*"),
      additionalProperties:
        typeof additionalProperties === "object" ? change(additionalProperties, "*") : undefined,
      anyOf: anyOf?.map((one) => change(one)),
    }),
  };
}

function mapped(
  schemas: Readonly<Record<string, Schema>>,
  change: (one: Schema, name: string) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, change(one, name)]));
}

/** A component's arguments in a file: nothing is required, since defaults and the file itself may give it. */
function part(schema: z.ZodType, given: readonly string[]): Schema {
  const { title, properties = {} } = plain(schema);
  const left = Object.entries(properties).filter(([name]) => !given.includes(name));
  return optional({
    type: "object",
    title,
    properties: Object.fromEntries(left),
    additionalProperties: false,
  });
}

function optional({ required, properties = {}, ...rest }: Schema): Schema {
  return {
    ...rest,
    ...(required === undefined ? {} : { title: `${rest.title}-partial` }),
    properties: mapped(properties, (one) =>
      one.properties === undefined || one.properties.secure !== undefined ? one : optional(one),
    ),
  };
}

/** Puts `schema` in the place of a property, whose own description stays. */
function replace(owner: Schema, name: string, schema: Schema): void {
  const { description, default: standard } = owner.properties?.[name] ?? {};
  const kept = compact({ description, default: standard || undefined });
  owner.properties = { ...owner.properties, [name]: { ...schema, ...kept } };
}

/** In a file people are named beside lists of keys. */
function allowNames(container: Schema): void {
  const names = plain(z.object(namedFields)).properties;
  for (const path of keyHolders) {
    const holder = path.reduce<Schema | undefined>((at, name) => at?.properties?.[name], container);
    if (holder?.properties === undefined) throw new Error(`a container has no ${path.join(".")}`);
    holder.properties = { ...holder.properties, ...names };
  }
}

/** In a file a storage is mounted by its name. */
function allowStorageNames(container: Schema): void {
  const fields = container.properties?.mounts?.items?.properties;
  if (fields === undefined) throw new Error("a container's mounts have no items");
  fields.storage = {
    description: "Name of a storage of this file, or plain values of another one.",
    anyOf: [{ type: "string" }, plain(storageRefSchema)],
  };
}

/** The schema with every object that has a title moved to `definitions`, under its title. */
function hoisted(schema: Schema): Schema {
  const definitions = new Map<string, Schema>();
  const body = withoutTitled(schema, definitions, true);
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...body, definitions: Object.fromEntries(sorted) };
}

function withoutTitled(schema: Schema, definitions: Map<string, Schema>, isTop = false): Schema {
  const changed = withChanged(schema, (one) => withoutTitled(one, definitions));
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
