/**
 * packages/components/schema.json: the components as Pulumi's schema has them, from which the SDKs of other languages are
 * made. Pulumi's own analyzer reads the classes; what it leaves out (defaults, whole numbers, secrets, what a type is
 * about) is added from the same sources.
 */
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { isSecretField } from "@drawbridge-iac/manifests/stack";
import ts from "typescript";
import { type InterfaceDocs, interfaceDocs, saidOf } from "./interface-docs.ts";

export const schemaFile = "packages/components/schema.json";

/** The classes that the package exports. */
export const componentNames = [
  "DevContainer",
  "FrpServer",
  "RootNamespace",
  "SshGateway",
  "StorageAccessor",
  "StorageProxy",
];

export interface Property {
  type?: string;
  $ref?: string;
  description?: string;
  plain?: boolean;
  secret?: boolean;
  items?: Property;
  additionalProperties?: Property;
}

interface Analyzed extends Property {
  readonly optional?: boolean;
}

type Properties = Record<string, Analyzed>;

interface AnalyzedType {
  readonly type?: string;
  readonly enum?: readonly { readonly name: string; readonly value: string | number }[];
  readonly properties?: Properties;
}

interface Analysis {
  readonly components: Record<
    string,
    { readonly description?: string; readonly inputs: Properties; readonly outputs: Properties }
  >;
  readonly typeDefinitions: Record<string, AnalyzedType>;
}

export interface SchemaType {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Record<string, Property>;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly name: string; readonly value: string | number }[];
}

export interface SchemaResource extends SchemaType {
  readonly isComponent: true;
  readonly inputProperties: Record<string, Property>;
  readonly requiredInputs: readonly string[];
  readonly properties: Record<string, Property>;
}

export interface PluginSchema {
  readonly name: string;
  readonly resources: Record<string, SchemaResource>;
  readonly types: Record<string, SchemaType>;
  readonly [part: string]: unknown;
}

/** What Pulumi's analyzer finds in the components. It runs the TypeScript compiler, which takes seconds. */
function analyze(folder: string): Analysis {
  const require = createRequire(join(folder, "package.json"));
  const { Analyzer } = require("@pulumi/pulumi/provider/experimental/analyzer.js");
  const described = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return new Analyzer(folder, "drawbridge", described, new Set(componentNames)).analyze();
}

/** The schema without a version: the plugin and the SDKs get that of their package. */
export function pluginSchema(): PluginSchema {
  const folder = resolve("packages/components");
  const { components, typeDefinitions } = analyze(folder);
  const sources = globSync("packages/components/src/*-args.ts").sort();
  const docs = interfaceDocs(sources);
  const about = abouts([...sources, ...globSync("packages/{components,manifests}/src/**/*.ts").sort()]);
  const resources = Object.entries(components).map(([name, { description, inputs, outputs }]) => [
    `drawbridge:index:${name}`,
    {
      type: "object",
      isComponent: true,
      ...described(description),
      inputProperties: properties(inputs, docs.get(`${name}Args`)),
      requiredInputs: required(inputs),
      properties: properties(outputs, undefined),
      required: required(outputs),
    },
  ]);
  const types = Object.entries(typeDefinitions).map(([name, definition]) => [
    `drawbridge:index:${typeName(name)}`,
    definition.enum === undefined
      ? {
          type: "object",
          ...described(about.get(name)),
          properties: properties(definition.properties ?? {}, docs.get(name)),
          required: required(definition.properties ?? {}),
        }
      : { type: definition.type, ...described(about.get(name)), enum: definition.enum },
  ]);
  const { description, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return {
    name: "drawbridge",
    displayName: "drawbridge",
    description,
    license,
    keywords: ["pulumi", "kubernetes", "ssh", "kind/component", "category/infrastructure"],
    language: {
      nodejs: { packageName: "@drawbridge-iac/drawbridge", respectSchemaVersion: true },
      python: {
        packageName: "pulumi_drawbridge",
        // Groups of arguments may be written as dictionaries too, and are checked.
        inputTypes: "classes-and-dicts",
        pyproject: { enabled: true },
        respectSchemaVersion: true,
      },
      go: { rootPackageName: "drawbridge", generateResourceContainerTypes: true, respectSchemaVersion: true },
      csharp: { respectSchemaVersion: true },
      java: { respectSchemaVersion: true },
    },
    resources: Object.fromEntries(resources),
    types: Object.fromEntries(types.sort(([a], [b]) => (`${a}` < `${b}` ? -1 : 1))),
  };
}

/** Other languages put "Args" behind the names of inputs themselves. */
const typeName = (name: string) => name.replace(/Args$/, "");

const described = (description: string | undefined) =>
  description === undefined || description === "" ? {} : { description };

const required = (found: Properties) =>
  Object.entries(found)
    .filter(([, property]) => property.optional !== true)
    .map(([name]) => name)
    .sort();

type Docs = ReturnType<InterfaceDocs["get"]>;

function properties(found: Properties, docs: Docs): Record<string, Property> {
  return Object.fromEntries(
    Object.entries(found).map(([name, property]) => {
      const { said, standard } = docs?.get(name) ?? { said: property.description ?? "", standard: "" };
      const text = [said.replaceAll("\n", " "), standard === "" ? "" : `Default: ${standard}.`];
      const written = shape(property);
      const isSecret = isSecretField(name) && written.type === "string";
      return [
        name,
        {
          ...written,
          ...described(text.filter((part) => part !== "").join(" ")),
          ...(isSecret ? { secret: true } : {}),
        },
      ];
    }),
  );
}

/** The type as the schema writes it. Every number that a component takes or gives is a whole one. */
function shape({ type, $ref, plain, items, additionalProperties }: Property): Property {
  return {
    ...(type === undefined ? {} : { type: type === "number" ? "integer" : type }),
    ...($ref === undefined ? {} : { $ref: $ref.replace(/(#\/types\/drawbridge:index:\w+?)Args$/, "$1") }),
    ...(items === undefined ? {} : { items: shape(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: shape(additionalProperties) }),
    ...(plain === true ? { plain } : {}),
  };
}

/** What is said of each exported interface and constant. */
function abouts(files: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      const [name] = ts.isInterfaceDeclaration(statement)
        ? [statement.name]
        : ts.isVariableStatement(statement)
          ? statement.declarationList.declarations.map((declaration) => declaration.name)
          : [];
      if (name !== undefined && ts.isIdentifier(name) && !found.has(name.text)) {
        found.set(name.text, saidOf(statement));
      }
    }
  }
  return found;
}

export const schemaText = (schema: PluginSchema) => `${JSON.stringify(schema, undefined, 1)}\n`;
