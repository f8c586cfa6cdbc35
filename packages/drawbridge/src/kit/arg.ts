/**
 * What is said of arguments, beside their schemas: the one place that the documented interfaces, the schema for other
 * languages, the reference and editors' completion are made of.
 */
import { z } from "zod";
import type { Guard } from "./guard.ts";
import { input, strict } from "./schema.ts";

/** What an edit of an argument may do to something that runs. */
export const Effect = {
  /** Its pods restart, and their sessions end. */
  restart: "restart",
  /** All sessions of a gateway end. */
  sessions: "sessions",
  /** Data or a host key is lost or left behind. */
  data: "data",
  opens: "opens",
  closes: "closes",
  cost: "cost",
} as const;
export type Effect = (typeof Effect)[keyof typeof Effect];

/** Documentation of one argument. */
export interface ArgTexts {
  /** Meaning and unit. */
  readonly about: string;
  /** The default, where the schema does not say it. Words begin with `- `; an empty text leaves it to the group's user. */
  readonly default?: string;
  /** A value as code. */
  readonly example?: string;
  /** Effects of an edit; an empty list for none. Left out, the group's effects apply. */
  readonly effect?: readonly Effect[];
  /** What the preview guard makes of an edit. A row that opens or closes something says it, if only `"daily"`. */
  readonly guard?: Guard;
  /** The part of a pod that gets the value as it is, under the argument's own name. */
  readonly passedTo?: "pod" | "container";
  /** Why it is plain data, and takes no Output. Every other value is an Input. */
  readonly plain?: PlainReason;
}

/** Why an argument cannot come later. */
export const PlainReason = {
  resources: "decides which resources exist",
  names: "names resources, which have to be known",
  form: "decides which fields the resources have",
  matched: "is matched with another argument",
  option: "is an option of Pulumi's",
  merged: "is merged into a resource field by field; the values in it may be Outputs",
} as const;
export type PlainReason = (typeof PlainReason)[keyof typeof PlainReason];

/** Documentation of a group of arguments. */
export interface GroupTexts {
  /** The interface's name. */
  readonly name: string;
  readonly about: string;
  /** A program that shows the group at work. */
  readonly example?: string;
  /** Names of the groups whose fields it has as well. */
  readonly extends?: readonly string[];
  /** Effects of an edit of a field that names none of its own. */
  readonly effect?: readonly Effect[];
  /** The field for which a component may stand in the place of the group. */
  readonly shorthand?: string;
  /** Whether a component gives it out, so that fields with a default are always there. */
  readonly isOutput?: boolean;
}

export const argTexts = z.registry<ArgTexts>();
export const groupTexts = z.registry<GroupTexts>();

/** An argument: its schema and its documentation. The schema is copied, because several arguments may share it. */
export function arg<S extends z.ZodType>(schema: S, about: string, more: Omit<ArgTexts, "about"> = {}): S {
  const own = schema.clone() as S;
  argTexts.add(own, { about, ...more });
  return own;
}

/** A switch that is off unless someone sets it. */
export const offByDefault = (about: string, more?: Omit<ArgTexts, "about">) =>
  arg(input(z.boolean()).default(false), about, more);

/** A switch that is on unless someone sets it. */
export const onByDefault = (about: string, more?: Omit<ArgTexts, "about">) =>
  arg(input(z.boolean()).default(true), about, more);

interface GroupOptions extends Omit<GroupTexts, "name" | "about"> {
  /** The message for a missing value. */
  readonly missing?: string;
}

/** A switch that is plain data, and off unless someone sets it. */
export const plainOffByDefault = (plain: PlainReason, about: string, more?: Omit<ArgTexts, "about">) =>
  arg(z.boolean().default(false), about, { plain, ...more });

/** A switch that is plain data, and on unless someone sets it. */
export const plainOnByDefault = (plain: PlainReason, about: string, more?: Omit<ArgTexts, "about">) =>
  arg(z.boolean().default(true), about, { plain, ...more });

/** A group of arguments, under the name of its interface: an object that refuses unknown keys. */
export function group<Shape extends z.ZodRawShape>(
  name: string,
  about: string,
  shape: Shape,
  { missing, ...more }: GroupOptions = {},
) {
  const schema = strict(shape, missing);
  groupTexts.add(schema, { name, about, ...more });
  return schema;
}
