/** Changed arguments of a component, by the rows that define them. */
import { argTexts, type Effect, groupTexts } from "@drawbridge-iac/drawbridge/src/kit/arg";
import { withSortedKeys } from "@drawbridge-iac/drawbridge/src/kit/crypto";
import type { Guard, LeftOut, Wall } from "@drawbridge-iac/drawbridge/src/kit/guard";
import { bare, plainSchemas } from "@drawbridge-iac/drawbridge/src/kit/schema";
import { isMap } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import type { z } from "zod";
import type { Inputs } from "../values.ts";

/** One argument with another value, or the items of a list. */
export interface ArgumentChange {
  /** `egress.allow` */
  readonly path: string;
  /** Undefined where it was, or will be, left out and has no default. */
  readonly was: unknown;
  readonly is: unknown;
  readonly effect: readonly Effect[];
  /** Its row's, or that of the group that it is in. */
  readonly wall: Wall | undefined;
  /** What is open if it is left out. */
  readonly leftOut: LeftOut | undefined;
  /** Whether a new component takes what has this name. */
  readonly takes: boolean;
  readonly isList: boolean;
  /** Whether it is a group that the preview hides as a whole, and has arguments with walls. */
  readonly isHiddenGroup: boolean;
  /** Whether it gets its default again: that does the opposite of an edit. */
  readonly isBack: boolean;
  /** Of a list of groups: the fields that open or close something, where there are any. */
  readonly deciding?: readonly string[];
  /** Whether the group that it is in was not there. */
  readonly isGroupNew: boolean;
  /** Whether the group goes. */
  readonly isGroupGone: boolean;
}

type Said = Pick<ArgumentChange, "effect" | "wall" | "leftOut" | "takes" | "isGroupNew" | "isGroupGone">;

type Def = z.core.$ZodTypes["_zod"]["def"];
const defOf = (schema: z.core.$ZodType) => schema._zod.def as Def;

const nothingSaid: Said = {
  effect: [],
  wall: undefined,
  leftOut: undefined,
  takes: false,
  isGroupNew: false,
  isGroupGone: false,
};

/** @param above the wall of the group that the row is in */
function guardOf(
  guard: Guard | undefined,
  above: Wall | undefined,
): Pick<Said, "wall" | "leftOut" | "takes"> {
  const wall = guard === undefined ? above : isWall(guard) ? guard : undefined;
  const leftOut = typeof guard === "object" && !isWall(guard) ? guard : undefined;
  return { wall, leftOut, takes: guard === "taking" || wall?.takes === true };
}

const isWall = (guard: Guard): guard is Wall => typeof guard === "object" && !("opens" in guard);

/**
 * @param before undefined for a component that is new
 * @param path of the row below those arguments
 * @param said of the group that the row is in
 */
export function argumentChanges(
  row: z.core.$ZodType,
  before: unknown,
  after: unknown,
  path = "",
  said = nothingSaid,
): ArgumentChange[] {
  const standard = defaultOf(row);
  const [was, is] = [before ?? standard, after ?? standard];
  if (isSame(was, is)) return [];
  const plain = plainOf(row);
  const def = defOf(plain);
  const leaf = {
    path,
    was,
    is,
    ...said,
    isBack: isSame(is, standard) && standard !== undefined,
    isList: def.type === "array" || def.type === "record",
    isHiddenGroup:
      def.type === "object" &&
      typeof is === "string" &&
      Object.values(def.shape).some(
        (field) => guardOf(argTexts.get(field)?.guard, undefined).wall !== undefined,
      ),
  };
  const areMaps = [was, is].every((value) => value === undefined || isMap(value));
  if (def.type === "object" && areMaps) {
    const fields = fieldChanges(plain, def.shape, was, is, path, said);
    // A group that comes or goes is one change; what its fields open is still looked at.
    const isWhole = path !== "" && (was === undefined || is === undefined);
    if (!isWhole) return fields;
    const walled = fields.filter(({ wall, takes }) => (wall !== undefined && wall !== said.wall) || takes);
    // A field with a wall is judged by itself.
    const isApart = walled.length > 0 && said.wall === undefined;
    const effect = isApart ? [] : allOf(leaf.effect, ...fields.map((field) => field.effect));
    // What only closed opens again when it goes.
    const kept = is === undefined ? fields.filter(isBar) : [];
    return [{ ...leaf, effect }, ...walled, ...kept];
  }
  if (def.type === "array") {
    const item = plainOf(def.element);
    const fields = defOf(item);
    const named =
      said.wall?.judge === undefined &&
      fields.type === "object" &&
      "name" in fields.shape &&
      isNamed(was) &&
      isNamed(is);
    if (named) {
      const own = { ...said, effect: groupTexts.get(item)?.effect ?? said.effect };
      return [...new Set([...namesIn(was), ...namesIn(is)])].flatMap((name) =>
        argumentChanges(item, itemOf(was, name), itemOf(is, name), `${path}.${name}`, own),
      );
    }
    if (fields.type === "object") return [ofItems(leaf, item, fields.shape)];
  }
  return [leaf];
}

function fieldChanges(
  group: z.core.$ZodType,
  shape: z.core.$ZodShape,
  was: unknown,
  is: unknown,
  path: string,
  said: Said,
): ArgumentChange[] {
  const { effect = said.effect } = groupTexts.get(group) ?? {};
  return Object.entries(shape).flatMap(([name, row]) =>
    argumentChanges(row, fieldOf(was, name), fieldOf(is, name), path === "" ? name : `${path}.${name}`, {
      effect: argTexts.get(row)?.effect ?? effect,
      ...guardOf(argTexts.get(row)?.guard, said.wall),
      isGroupNew: was === undefined && path !== "",
      isGroupGone: is === undefined && path !== "",
    }),
  );
}

/** A list of groups, by the fields of its items that open or close something. */
function ofItems(leaf: ArgumentChange, group: z.core.$ZodType, shape: z.core.$ZodShape): ArgumentChange {
  const inherited = groupTexts.get(group)?.effect ?? leaf.effect;
  const effects = Object.entries(shape).map(
    ([name, row]) => [name, argTexts.get(row)?.effect ?? inherited] as const,
  );
  const deciding = effects.filter(([, effect]) => effect.includes("opens") || effect.includes("closes"));
  return {
    ...leaf,
    ...(deciding.length > 0 && { deciding: deciding.map(([name]) => name) }),
    effect: allOf(leaf.effect, ...effects.map(([, effect]) => effect)),
  };
}

const isBar = ({ effect, wall }: ArgumentChange) =>
  wall === undefined && effect.includes("closes") && !effect.includes("opens");

const allOf = (...effects: readonly (readonly Effect[])[]) => [...new Set(effects.flat())];

/** The schema of the value itself, which may be left out or come later. */
function plainOf(schema: z.core.$ZodType): z.core.$ZodType {
  const plain = bare(schema);
  const inner = plainSchemas.get(plain)?.schema as z.core.$ZodType | undefined;
  return inner === undefined ? plain : plainOf(inner);
}

function defaultOf(schema: z.core.$ZodType): unknown {
  const def = defOf(schema);
  if (def.type === "default" || def.type === "prefault") return def.defaultValue;
  if (def.type === "optional") return defaultOf(def.innerType);
  return def.type === "pipe" ? defaultOf(def.in) : undefined;
}

const fieldOf = (value: unknown, key: string) => (isMap(value) ? value[key] : undefined);
const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(withSortedKeys(one)) === JSON.stringify(withSortedKeys(other));

const isNamed = (list: unknown): list is Inputs[] | undefined =>
  list === undefined ||
  (Array.isArray(list) &&
    list.every((item) => isMap(item) && typeof item.name === "string") &&
    new Set(namesIn(list)).size === list.length);
const namesIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.map((item: Inputs) => String(item.name)) : [];
const itemOf = (list: unknown, name: string) =>
  Array.isArray(list) ? list.find((item: Inputs) => item.name === name) : undefined;
