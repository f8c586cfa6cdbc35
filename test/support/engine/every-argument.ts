/** Components with one argument set in each, and together with all arguments. */
import * as library from "@drawbridge-iac/drawbridge";
import type { Args } from "@drawbridge-iac/drawbridge/src/kit/trials.fixture";
import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { type Property, writtenSchema } from "../../../scripts/lib/plugin-schema.ts";
import { edited } from "../../../scripts/lib/trials/edit.ts";
import { type Title, trialsOf, tried } from "../../../scripts/lib/trials/index.ts";

type Component = new (
  name: string,
  args: Args,
  opts?: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource;
const classes = library as unknown as Readonly<Record<Title, Component>>;

/** Registers a component. */
export const construct = (
  title: Title,
  ...rest: ConstructorParameters<Component>
): pulumi.ComponentResource => new classes[title](...rest);

export interface Instance {
  readonly kind: Title;
  readonly name: string;
  readonly args: Args;
}

/** @param isEdited whether they have the argument, or only what it starts from */
export function everyArgument(isEdited = true): Instance[] {
  return [...tried].flatMap(([kind, { trials, parts = {}, base }]) =>
    [...Object.entries(trials), ...Object.entries(parts)].map(([path, trial], index): Instance => {
      const name = `${kind.toLowerCase().slice(0, 8)}${index}`;
      const { before, after } = edited(path, trial, base(name));
      return { kind, name, args: JSON.parse(JSON.stringify(isEdited ? after : before)) };
    }),
  );
}

export const schemaOf = (kind: Title): z.ZodType => trialsOf(kind).schema;

/** Registers an instance in the program itself. */
export function make({ kind, name, args }: Instance): pulumi.ComponentResource {
  return construct(kind, name, args);
}

/** The arguments of the schema, as `<type>.<name>`, that no instance has. */
export function unset(instances: readonly Instance[]): string[] {
  const { resources, types } = writtenSchema();
  const wanted = new Set<string>();
  const seen = new Set<string>();
  const owners = new Set<string>();
  // What an argument can hold, from the resources on: outputs have types of their own.
  const want = (owner: string, properties: Readonly<Record<string, Property>>) => {
    if (owners.has(owner)) return;
    owners.add(owner);
    for (const [name, property] of Object.entries(properties)) {
      wanted.add(`${owner}.${name}`);
      const inner = typeOf(property);
      if (inner !== undefined) want(inner, fieldsOf(inner));
    }
  };
  const typeOf = ({
    $ref,
    items,
    additionalProperties,
    oneOf: [group] = [],
  }: Property): string | undefined => {
    if (group !== undefined) return typeOf(group);
    const each = items ?? additionalProperties;
    if (each !== undefined) return typeOf(each);
    const name = $ref?.startsWith("#/types/") === true ? $ref.replace("#/types/", "") : undefined;
    return name !== undefined && types[name]?.properties !== undefined ? name : undefined;
  };
  const fieldsOf = (type: string) => types[type]?.properties ?? {};
  const note = (owner: string, properties: Readonly<Record<string, Property>>, value: object) => {
    for (const [name, inner] of Object.entries(value)) {
      seen.add(`${owner}.${name}`);
      const property = properties[name];
      const type = property && typeOf(property);
      if (type === undefined) continue;
      const values = property?.items || property?.additionalProperties ? Object.values(inner) : [inner];
      for (const one of values) note(type, fieldsOf(type), one as object);
    }
  };
  for (const kind of tried.keys()) {
    want(kind, resources[`drawbridge:index:${kind}`]?.inputProperties ?? {});
  }
  for (const { kind, args } of instances) {
    note(kind, resources[`drawbridge:index:${kind}`]?.inputProperties ?? {}, args);
  }
  return [...wanted].filter((name) => !seen.has(name)).map((name) => name.replace("drawbridge:index:", ""));
}
