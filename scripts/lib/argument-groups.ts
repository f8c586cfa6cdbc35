import { argTexts, type Effect, groupTexts } from "@drawbridge-iac/drawbridge/src/kit/arg";
import { bare, choices, innermost, plainOf, plainSchemas } from "@drawbridge-iac/drawbridge/src/kit/schema";
import { podSchema, subjectsSchema } from "@drawbridge-iac/drawbridge/src/kubernetes/args";
import type { Descriptor } from "@drawbridge-iac/drawbridge/src/kubernetes/descriptor";
import * as lists from "@drawbridge-iac/drawbridge/src/lists";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import type { z } from "zod";

/** The type of an argument. */
export type ArgType =
  | { readonly kind: "text" | "number" | "switch" | "anything" }
  | { readonly kind: "choice"; readonly name: string }
  | { readonly kind: "group"; readonly name: string; readonly component?: string }
  /** A value that another resource may give, or be. */
  | {
      readonly kind: "input";
      readonly of: ArgType;
      readonly component?: string;
      readonly isNamespace?: boolean;
    }
  | { readonly kind: "list" | "map"; readonly of: ArgType };

export interface Argument {
  readonly name: string;
  readonly type: ArgType;
  readonly isOptional: boolean;
  readonly isSecret: boolean;
  readonly about: string;
  /** As the docstring has it; empty if there is none. */
  readonly standard: string;
  readonly example: string | undefined;
  /** Why it takes no Output. */
  readonly plain: string | undefined;
}

export interface Group {
  readonly name: string;
  readonly about: string;
  readonly example: string | undefined;
  readonly extends: readonly string[];
  /** Whether a component gives it out. */
  readonly isOutput: boolean;
  /** Those of the groups that it extends come first. */
  readonly fields: readonly Argument[];
}

/** The arguments of each component, in the order in which one meets them, and what components give out. */
const roots: readonly z.core.$ZodType[] = [
  ...registry.map(({ args }) => args),
  ...registry.flatMap(({ outputs = [] }: Descriptor) => outputs),
];

const namesOfChoices = new Map<unknown, string>(Object.entries(lists).map(([name, value]) => [value, name]));

/** The words of a choice by their names. */
export const choiceValues = (name: string): Readonly<Record<string, string>> =>
  (lists as unknown as Record<string, Record<string, string>>)[name] ?? {};

/** By their names, in the order in which one meets them. */
export function argumentGroups(): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const root of [podSchema, subjectsSchema, ...roots]) collect(root, groups);
  return groups;
}

function collect(schema: z.core.$ZodType, groups: Map<string, Group>): void {
  const plain = innermost(schema);
  const { def } = plain._zod as z.core.$ZodTypes["_zod"];
  if (def.type !== "object") return;
  const found = groupOf(plain, def.shape, groups);
  const known = groups.get(found.name);
  if (known === undefined) {
    groups.set(found.name, found);
    for (const field of Object.values(def.shape)) collect(field, groups);
  } else if (JSON.stringify(known) !== JSON.stringify(found)) {
    // A group that is made for several arguments must say the same of each.
    throw new Error(`two groups are called ${found.name}`);
  }
}

function groupOf(
  schema: z.core.$ZodType,
  shape: z.core.$ZodShape,
  groups: ReadonlyMap<string, Group>,
): Group {
  const texts = groupTexts.get(schema);
  if (texts === undefined) throw new Error(`a group with ${Object.keys(shape).join(", ")} has no name`);
  const bases = texts.extends ?? [];
  const inherited = bases.flatMap((base) => groups.get(base)?.fields ?? []);
  const own = Object.entries(shape)
    .filter(([name]) => !inherited.some((field) => field.name === name))
    .map(([name, field]) => argument(name, field, `${texts.name}.${name}`, texts.isOutput === true));
  const { name, about, example, isOutput = false } = texts;
  return { name, about, example, extends: bases, isOutput, fields: [...inherited, ...own] };
}

function argument(name: string, schema: z.core.$ZodType, place: string, isOutput: boolean): Argument {
  const said = textsOf(schema);
  if (said === undefined) throw new Error(`nothing is said of ${place}`);
  return {
    ...said,
    // What is given out is there.
    ...(isOutput ? { standard: "" } : {}),
    name,
    type: typeOf(schema, place),
    isOptional: isOutput ? optionality(schema) === "optional" : optionality(schema) !== undefined,
    isSecret: plainSchemas.get(bare(schema))?.isSecret === true,
  };
}

/** Whether an argument may be left out. One that is changed before its check (a pipe) has that from the check. */
function optionality(schema: z.core.$ZodType): "optional" | "defaulted" | undefined {
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  const isRead = def.type === "pipe" && plainSchemas.get(schema) !== undefined;
  return isRead ? def.out._zod.optin : schema._zod.optin;
}

/** What is said of an argument; undefined for a schema that is none. */
export function textsOf(
  schema: z.core.$ZodType,
): Pick<Argument, "about" | "standard" | "example" | "plain"> | undefined {
  const texts = argTexts.get(schema);
  if (texts === undefined) return undefined;
  const { about, example, plain } = texts;
  return { about, standard: texts.default ?? standardOf(schema), example, plain };
}

/** The schema's own default as code, unless it is an empty list or map. */
function standardOf(schema: z.core.$ZodType): string {
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  if (def.type === "pipe") return standardOf(def.in);
  if (def.type !== "default") return "";
  const text = JSON.stringify(def.defaultValue, undefined, 1).replaceAll(/\n\s*/g, " ");
  return ["[]", "{}"].includes(text) ? "" : text.replaceAll(/([[{]) | ([\]}])/g, "$1$2");
}

function typeOf(schema: z.core.$ZodType, place: string): ArgType {
  const plain = bare(schema);
  const inner = plainSchemas.get(plain)?.schema as z.core.$ZodType | undefined;
  if (inner !== undefined) {
    const of = typeOf(inner, place);
    if (plainSchemas.get(plain)?.takes === undefined) return { kind: "input", of };
    return "name" in of
      ? { kind: "input", of, component: of.name }
      : { kind: "input", of, isNamespace: true };
  }
  const values = choices.get(plain)?.values;
  if (values !== undefined) return { kind: "choice", name: namesOfChoices.get(values) ?? "" };
  const { def } = plain._zod as z.core.$ZodTypes["_zod"];
  switch (def.type) {
    case "string":
      return { kind: "text" };
    case "literal":
      return { kind: typeof def.values[0] === "boolean" ? "switch" : "text" };
    case "number":
      return { kind: "number" };
    case "boolean":
      return { kind: "switch" };
    case "unknown":
      return { kind: "anything" };
    case "array":
      return { kind: "list", of: typeOf(def.element, place) };
    case "record":
      return { kind: "map", of: typeOf(def.valueType, place) };
    case "object":
      return { kind: "group", name: groupTexts.get(plain)?.name ?? "", ...shorthand(plain, def.shape) };
    default:
      throw new Error(`${place} is of a kind that has no counterpart: ${def.type}`);
  }
}

/** The component that may stand for a group, by the name of its ref. */
function shorthand(group: z.core.$ZodType, shape: z.core.$ZodShape): { readonly component?: string } {
  const ref = shape[groupTexts.get(group)?.shorthand ?? ""];
  return ref === undefined ? {} : { component: groupTexts.get(plainOf(ref))?.name ?? "" };
}

/** What is said of one place in a file, and the row or group that says it. */
interface SaidEffect {
  readonly effect: readonly Effect[];
  readonly by: z.core.$ZodType;
}

/**
 * What an edit of an argument does to something that runs, as its row or its group says.
 * @param path as in `access.frp.token` or `ports[0].name`; what follows a space tells several edits of one apart
 */
export function effectAt(root: z.core.$ZodType, path: string): SaidEffect | undefined {
  let said: SaidEffect | undefined;
  let schema = root;
  const note = (effect: readonly Effect[] | undefined, by: z.core.$ZodType) => {
    if (effect !== undefined) said = { effect, by };
  };
  for (const part of path.replace(/ .*/, "").split(".")) {
    const group = innermost(schema);
    note(groupTexts.get(group)?.effect, group);
    const { def } = group._zod as z.core.$ZodTypes["_zod"];
    const field = def.type === "object" ? def.shape[part.replace(/\[\d+\]$/, "")] : undefined;
    if (field === undefined) return undefined;
    note(argTexts.get(field)?.effect, field);
    schema = field;
  }
  return said;
}

/** As TypeScript has it. */
export function typeText(type: ArgType): string {
  switch (type.kind) {
    case "text":
      return "string";
    case "number":
      return "number";
    case "switch":
      return "boolean";
    case "anything":
      return "unknown";
    case "input": {
      const others = type.isNamespace ? " | NamespaceResource" : orComponent(type);
      return `pulumi.Input<${typeText(type.of)}${others}>`;
    }
    case "list": {
      const of = typeText(type.of);
      return of.includes(" | ") ? `(${of})[]` : `${of}[]`;
    }
    case "map":
      return type.of.kind === "anything" ? "AsInKubernetes" : `Record<string, ${typeText(type.of)}>`;
    case "group":
      return `${type.name}${orComponent(type)}`;
    default:
      return type.name;
  }
}

const orComponent = ({ component }: { readonly component?: string }) =>
  component === undefined ? "" : ` | Referable<${component}>`;

/** The names that a type leads to, groups and choices. */
export function namedIn(type: ArgType): { readonly kind: "group" | "choice"; readonly name: string }[] {
  const ref =
    "component" in type && type.component !== undefined
      ? [{ kind: "group" as const, name: type.component }]
      : [];
  if ("of" in type) return [...namedIn(type.of), ...ref];
  return "name" in type ? [type, ...ref] : [];
}

/** The type as people read it: with the allowed words in the place of a const object's name. */
export function allowedText(type: ArgType): string {
  return namedIn(type)
    .filter(({ kind }) => kind === "choice")
    .reduce(
      (text, { name }) => {
        const values = Object.values(choiceValues(name)).map((value) => JSON.stringify(value));
        const allowed = values.join(" | ");
        return text.replace(name, text.includes("[]") ? `(${allowed})` : allowed);
      },
      typeText(type).replaceAll("pulumi.", ""),
    );
}

/** What is said of something, links as plain words. */
export const plainWords = (text: string) => text.replaceAll(/\{@link (\w+)\}/g, "$1");

/** The default in words. */
export const standardWords = ({ standard }: Pick<Argument, "standard">) => standard.replace(/^- /, "");

/** Text and default in one paragraph. */
export function paragraph(texts: Pick<Argument, "about" | "standard">): string {
  const standard = standardWords(texts);
  return `${plainWords(texts.about)}${standard === "" ? "" : ` Default: ${standard}.`}`;
}
