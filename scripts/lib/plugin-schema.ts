/**
 * packages/drawbridge/schema.json: the components as Pulumi's schema has them, from which the SDKs of other languages are
 * made. Arguments come from their own schemas; outputs from the classes, which Pulumi's analyzer reads.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Descriptor } from "@drawbridge-iac/drawbridge/src/kubernetes/descriptor";
import { compact } from "@drawbridge-iac/drawbridge/src/kubernetes/manifest";
import * as lists from "@drawbridge-iac/drawbridge/src/lists";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import type ts from "typescript";
import {
  type ArgType,
  type Argument,
  argumentGroups,
  choiceValues,
  type Group,
  namedIn,
  paragraph,
  plainWords,
} from "./argument-groups.ts";
import { descriptionsIn } from "./doc-comments.ts";
import { writtenRepository } from "./repository.ts";

export const schemaFile = "packages/drawbridge/schema.json";

/** The classes that the package exports. cert-manager has an entry point of its own. */
export const componentNames = registry
  .filter(({ entry }: Descriptor) => entry === undefined)
  .map(({ title }) => title)
  .sort();

export interface Property {
  type?: string;
  $ref?: string;
  description?: string;
  plain?: boolean;
  secret?: boolean;
  items?: Property;
  additionalProperties?: Property;
  oneOf?: readonly Property[];
}

type Properties = Record<string, Property & { readonly optional?: boolean }>;

interface Analysis {
  readonly components: Record<string, { readonly description?: string; readonly outputs: Properties }>;
  readonly typeDefinitions: Record<string, { readonly properties?: Properties }>;
}

interface SchemaType {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Record<string, Property>;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly name: string; readonly value: string | number }[];
}

interface SchemaResource extends SchemaType {
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

const packageIn = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** What Pulumi's analyzer finds in the components. It runs the TypeScript compiler, which takes seconds. */
function analyze(folder: string): Analysis {
  const require = createRequire(join(folder, "package.json"));
  const { Analyzer } = require("@pulumi/pulumi/provider/experimental/analyzer.js");
  const analyzer = new Analyzer(folder, "drawbridge", packageIn(folder), new Set(componentNames));
  // Without arguments, which their own schemas describe, and without `children`: a schema's outputs cannot be resources, and
  // other languages have outputs with their names.
  const analyzeSymbols = analyzer.analyzeSymbols.bind(analyzer);
  analyzer.analyzeSymbols = (context: { readonly typeName?: string }, symbols: readonly ts.Symbol[]) =>
    context.typeName?.endsWith("Args")
      ? {}
      : analyzeSymbols(
          context,
          symbols.filter(({ escapedName }) => escapedName !== "children"),
        );
  return analyzer.analyze();
}

/** The schema without a version: the plugin and the SDKs get that of their package. */
export function pluginSchema(): PluginSchema {
  const folder = resolve("packages/drawbridge");
  const { components: classes, typeDefinitions } = analyze(folder);
  const groups = argumentGroups();
  const descriptions = descriptionsIn("packages/drawbridge/src/**/*.ts");
  const resources = Object.entries(classes).map(([name, { description, outputs }]) => {
    const { fields } = groupOf(groups, `${name}Args`);
    return [
      tokenOf(name),
      {
        type: "object",
        isComponent: true,
        ...described(description),
        inputProperties: properties(fields),
        requiredInputs: required(fields),
        properties: outputProperties(outputs),
        required: requiredOutputs(outputs),
      },
    ];
  });
  const choices = choicesIn(groups);
  const outputTypes = Object.entries(typeDefinitions).filter(
    // Not a ref: it is an argument of other components, whose group has described it.
    ([name]) => (groups.get(name)?.isOutput ?? true) && !groups.has(`${name}Args`) && !choices.includes(name),
  );
  const types = [
    ...reached(groups).map(({ name, about, fields }) => [
      tokenOf(name),
      group(plainWords(about), properties(fields), required(fields)),
    ]),
    ...choices.map((name) => [tokenOf(name), choice(name, descriptions)]),
    ...outputTypes.map(([name, { properties = {} }]) => [
      tokenOf(name),
      Object.hasOwn(lists, name)
        ? choice(name, descriptions)
        : group(descriptions.get(name), outputProperties(properties), requiredOutputs(properties)),
    ]),
  ];
  const address = `https://github.com/${writtenRepository()}`;
  const { description, license } = packageIn(folder);
  return {
    name: "drawbridge",
    displayName: "drawbridge",
    description,
    license,
    keywords: ["pulumi", "kubernetes", "ssh", "kind/component", "category/infrastructure"],
    publisher: "drawbridge",
    homepage: address,
    repository: address,
    logoUrl: `${address.replace("github.com", "raw.githubusercontent.com")}/main/docs/public/favicon.svg`,
    // Where Pulumi finds the plugin of an SDK's version, if none is on PATH.
    pluginDownloadURL: `github://api.github.com/${writtenRepository()}`,
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
const tokenOf = (name: string) => `drawbridge:index:${name.replace(/Args$/, "")}`;

const described = (description: string | undefined) =>
  description === undefined || description === "" ? {} : { description };

const group = (
  description: string | undefined,
  properties: Record<string, Property>,
  required: readonly string[],
) => ({ type: "object", ...described(description), properties, required });

function groupOf(groups: ReadonlyMap<string, Group>, name: string): Group {
  const group = groups.get(name);
  if (group === undefined) throw new Error(`there is no group ${name}`);
  return group;
}

/** The groups that the components' arguments lead to. */
function reached(groups: ReadonlyMap<string, Group>): Group[] {
  const all = new Set<string>();
  const visit = ({ fields }: Group): void => {
    for (const { kind, name } of fields.flatMap(({ type }) => namedIn(type))) {
      if (kind !== "group" || all.has(name)) continue;
      all.add(name);
      visit(groupOf(groups, name));
    }
  };
  for (const name of componentNames) visit(groupOf(groups, `${name}Args`));
  return [...all].map((name) => groupOf(groups, name));
}

function choicesIn(groups: ReadonlyMap<string, Group>): string[] {
  const named = [...groups.values()].flatMap(({ fields }) => fields.flatMap(({ type }) => namedIn(type)));
  return [...new Set(named.filter(({ kind }) => kind === "choice").map(({ name }) => name))];
}

const choice = (name: string, descriptions: ReadonlyMap<string, string>) => ({
  type: "string",
  ...described(descriptions.get(name)),
  enum: Object.entries(choiceValues(name)).map(([name, value]) => ({ name, value })),
});

const required = (fields: readonly Argument[]) =>
  fields
    .filter(({ isOptional }) => !isOptional)
    .map(({ name }) => name)
    .sort();

const requiredOutputs = (outputs: Properties) =>
  Object.entries(outputs)
    .filter(([, property]) => property.optional !== true)
    .map(([name]) => name)
    .sort();

function properties(fields: readonly Argument[]): Record<string, Property> {
  return Object.fromEntries(
    fields.map((field) => {
      const written = shape(field.type);
      return [
        field.name,
        { ...written, ...described(paragraph(field)), ...(field.isSecret ? { secret: true } : {}) },
      ];
    }),
  );
}

/** The type as the schema writes it; `plain` is what takes no output of another resource. */
function shape(type: ArgType): Property {
  const written = ownShape(type);
  if (!("component" in type)) return written;
  // As a resource it would be imported where Python has the types of arguments, which the resources import.
  const { plain, ...of } = written;
  return { oneOf: [of, { $ref: "pulumi.json#/Any" }], ...(plain && { plain }) };
}

function ownShape(type: ArgType): Property {
  switch (type.kind) {
    case "input": {
      // Pulumi's YAML host takes no output of a choice, not even for the same choice, so this is a text for other languages.
      if (type.of.kind === "choice") return { type: "string" };
      const { plain: _, ...rest } = shape(type.of);
      return rest;
    }
    case "list":
      return { type: "array", items: shape(type.of), plain: true };
    case "map":
      return { type: "object", additionalProperties: shape(type.of), plain: true };
    case "anything":
      return { $ref: "pulumi.json#/Any" };
    case "text":
      return { type: "string", plain: true };
    case "number":
      // Every number that a component takes is a whole one.
      return { type: "integer", plain: true };
    case "switch":
      return { type: "boolean", plain: true };
    default:
      return { $ref: `#/types/${tokenOf(type.name)}`, plain: true };
  }
}

function outputProperties(outputs: Properties): Record<string, Property> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, property]) => [
      name,
      { ...outputShape(property), ...described(property.description?.replaceAll("\n", " ")) },
    ]),
  );
}

function outputShape({ type, $ref, items, additionalProperties }: Property): Property {
  return compact({
    type: type === "number" ? "integer" : type,
    $ref,
    items: items && outputShape(items),
    additionalProperties: additionalProperties && outputShape(additionalProperties),
  });
}

export const writtenSchema = (): PluginSchema => JSON.parse(readFileSync(schemaFile, "utf8"));
