/** The JSON Schema of `Pulumi.<stack>.yaml`, with which editors complete and check the file while one types. */
import { plainSchemas, storageRefSchema } from "@drawbridge-iac/manifests";
import { componentSchemas, isSecretField, platformSchema, teamSchema } from "@drawbridge-iac/manifests/stack";
import { z } from "zod";
import { argumentGroups, type Group, namedIn, paragraph } from "./argument-groups.ts";

export const stackSchemaFile = "stacks/schema.json";

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

/** A value that Pulumi encrypted. */
const secure: Schema = {
  type: "object",
  properties: { secure: { type: "string" } },
  required: ["secure"],
  additionalProperties: false,
  description: "Secret: set it with pulumi config set --path --secret.",
};

export const stackSchemaText = (schema: Schema) => `${JSON.stringify(schema, undefined, 2)}\n`;

export function stackSchema(): Schema {
  const docs = argumentGroups();
  const platform = plain(platformSchema);
  const team = plain(teamSchema);
  const { gateway, storageProxy } = platform.properties ?? {};
  if (gateway !== undefined) document(gateway, "SshGatewayArgs", docs);
  if (storageProxy !== undefined) document(storageProxy, "StorageProxyArgs", docs);
  replace(platform, "frp", part(componentSchemas.frp, "FrpServerArgs", docs, ["seed"]));
  const storage = part(componentSchemas.storages, "StorageAccessorArgs", docs, ["namespace"]);
  const container = part(componentSchemas.containers, "DevContainerArgs", docs, ["namespace"]);
  allowStorageNames(container);
  for (const [name, args] of [
    ["storage", storage],
    ["container", container],
  ] as const) {
    replace(team, `${name}Defaults`, args);
    replace(team, `${name}s`, { type: "object", additionalProperties: args });
  }
  for (const [name, type] of [
    ["gateway", "SshGatewayRefArgs"],
    ["frp", "FrpServerRefArgs"],
    ["rootNamespace", "RootNamespaceRefArgs"],
    ["storageProxy", "StorageProxyRefArgs"],
  ] as const) {
    const reference = team.properties?.[name];
    if (reference !== undefined) document(reference, type, docs);
  }
  return {
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
        },
      },
    },
  };
}

/** A schema as it is written: values that may come later are written as what they will be. */
function plain(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const inner = plainSchemas.get(zodSchema)?.schema as z.ZodType | undefined;
      if (inner !== undefined) Object.assign(jsonSchema, plain(inner));
      // The bounds of every JavaScript number say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as Schema;
  return rest;
}

/** A component's arguments in a file: nothing is required, since defaults and the file itself may give it. */
function part(
  schema: z.ZodType,
  type: string,
  docs: ReadonlyMap<string, Group>,
  given: readonly string[],
): Schema {
  const written = plain(schema);
  document(written, type, docs);
  const properties = Object.entries(written.properties ?? {}).filter(([name]) => !given.includes(name));
  return {
    type: "object",
    properties: optional(Object.fromEntries(properties)),
    additionalProperties: false,
  };
}

function optional(properties: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (schema.properties === undefined || schema.properties.secure !== undefined) return [name, schema];
      const { required: _, ...rest } = schema;
      return [name, { ...rest, properties: optional(schema.properties) }];
    }),
  );
}

/** Puts `schema` in the place of a property, whose own description stays. */
function replace(owner: Schema, name: string, schema: Schema): void {
  const { description, default: standard } = owner.properties?.[name] ?? {};
  const kept = {
    ...(description === undefined ? {} : { description }),
    ...(standard ? { default: standard } : {}),
  };
  owner.properties = { ...owner.properties, [name]: { ...schema, ...kept } };
}

/** In a file a storage is mounted by its name. */
function allowStorageNames(container: Schema): void {
  const from = container.properties?.storage?.items?.properties;
  if (from === undefined) throw new Error("a container's storage has no items");
  from.from = {
    description: "Name of a storage of this file, or plain values of another one.",
    anyOf: [{ type: "string" }, plain(storageRefSchema)],
  };
}

/** Adds what is said of arguments to the schema of its fields, and the shape of encrypted values to secrets. */
function document(schema: Schema, type: string, docs: ReadonlyMap<string, Group>): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = docs.get(type)?.fields.find((one) => one.name === name);
    if (field === undefined) continue;
    if (isSecretField(name) && property.type === "string") {
      schema.properties = {
        ...schema.properties,
        [name]: { ...secure, description: `${paragraph(field)} ${secure.description}` },
      };
      continue;
    }
    property.description ??= paragraph(field);
    const inner = namedIn(field.type).find(({ kind }) => kind === "group");
    if (inner !== undefined) document(property.items ?? property, inner.name, docs);
  }
}
