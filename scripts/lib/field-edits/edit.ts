/** Edits of single fields, and what each does to something that runs. */
import { withDefaults } from "../../../packages/drawbridge/src/stacks/yaml.ts";

/** Arguments, in whole or in part. */
export type Args = Readonly<Record<string, unknown>>;

/** A field's place: `["ports", 0, "name"]`. */
export type Path = readonly (string | number)[];

export interface FieldEdit {
  /** What the thing has before, besides the base that all edits share. */
  readonly from?: Args;
  /** What the field becomes, at the path under which the edit stands. */
  readonly value?: unknown;
  /** Instead of `value`: all that is set, if that is more than the field; `undefined` takes a field away. */
  readonly to?: Args;
  /**
   * First the rules by which the guard stops it, in the order of the alphabet. Then what becomes of objects and pods:
   * `unchanged`: only clients are told something else; `harmless`: objects change, and its pods go on; `restarts`: its
   * pods restart or end. Then `gains` and `loses`, if the report says that somebody does, and `costs`.
   * @default what the effects of the argument's row come to
   */
  readonly verdict?: string;
}

/** By the field's path in `stacks/schema.json`; `[0]` is a list's item. */
export type FieldEdits = Readonly<Record<string, FieldEdit>>;

/** A thing's arguments before and after an edit. */
export function edited(field: string, { from = {}, to, value }: FieldEdit, base: Args) {
  const before = withDefaults(base, from);
  return { before, after: to === undefined ? put(before, pathOf(field), value) : withDefaults(before, to) };
}

/** `a.b[0].c` as its parts. */
export const pathOf = (field: string): Path =>
  [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([text, index]) =>
    index === undefined ? text : Number(index),
  );

/** A copy with `value` at `path`; undefined takes the key away. */
export function put(whole: Args, path: Path, value: unknown): Record<string, unknown> {
  const [key = "", ...rest] = path;
  const copy = (Array.isArray(whole) ? [...whole] : { ...whole }) as Record<string | number, unknown>;
  if (rest.length > 0) copy[key] = put((copy[key] ?? {}) as Args, rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}
