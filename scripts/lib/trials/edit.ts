/** The edits that trials make. */
import type { Args, Trial } from "../../../packages/drawbridge/src/kit/trials.fixture.ts";
import { withDefaults } from "../../../packages/drawbridge/src/stacks/yaml.ts";

/** A field's place: `["ports", 0, "name"]`. */
export type Path = readonly (string | number)[];

/** A thing's arguments before and after an edit. */
export function edited(field: string, { from = {}, to, value }: Trial, base: Args) {
  const before = withDefaults(base, from);
  return { before, after: to === undefined ? put(before, pathOf(field), value) : withDefaults(before, to) };
}

/** `a.b[0].c` as its parts. */
export const pathOf = (field: string): Path =>
  [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([text, index]) =>
    index === undefined ? text : Number(index),
  );

/** Every place in data, the whole excepted: of each map, list and leaf. */
export function placesIn(value: unknown, path: Path = []): Path[] {
  const below =
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) =>
          placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
        )
      : [];
  return path.length === 0 ? below : [path, ...below];
}

/** A copy with `value` at `path`; undefined takes the key away. */
export function put(whole: Args, path: Path, value: unknown): Record<string, unknown> {
  const [key = "", ...rest] = path;
  const copy = (Array.isArray(whole) ? [...whole] : { ...whole }) as Record<string | number, unknown>;
  if (rest.length > 0) copy[key] = put((copy[key] ?? {}) as Args, rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}
