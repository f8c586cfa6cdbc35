/** Shapes that are known to be harmless, each key with what may stand there; whatever else there is, is not. */
import { isMap } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import type { Bounds } from "../bounds.ts";
import { exactly } from "../effect.ts";
import { hiddenPaths } from "../values.ts";

/** Says where a value is not of the shape; nothing where it is. */
export type Shape = (value: unknown, path: string, bounds: Bounds) => string[];

/** Takes every value: it decides on nothing. */
export const anything: Shape = () => [];

export const where =
  (isFine: (value: unknown) => boolean): Shape =>
  (value, path) =>
    value === undefined || isFine(value) ? [] : [`${path} ${JSON.stringify(value)}`];

export const only = (...values: unknown[]): Shape => where((value) => values.includes(value));

const unknownYet = (path: string) => `${path}, which is not known before \`pulumi up\``;

/** A text that is known before `up`. */
export const shown: Shape = (value, path) => hiddenPaths(value, path).map(unknownYet);

/** A map whose names are known before `up`; its values need not be. */
export const map: Shape = (value = {}, path) => (isMap(value) ? [] : [unknownYet(path)]);

export const listOf =
  (shape: Shape): Shape =>
  (value, path, bounds) =>
    value === undefined
      ? []
      : Array.isArray(value)
        ? value.flatMap((item, index) => shape(item, `${path}[${index}]`, bounds))
        : [unknownYet(path)];

export const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, path, bounds) => {
    if (value === undefined) return [];
    if (typeof value !== "object" || value === null) return [unknownYet(path)];
    return Object.entries(value).flatMap(([key, inner]) => {
      const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined;
      const at = path === "" ? key : `${path}.${key}`;
      return inner === undefined ? [] : shape === undefined ? [exactly(at, inner)] : shape(inner, at, bounds);
    });
  };

/** Both shapes at once. */
export const both =
  (one: Shape, other: Shape): Shape =>
  (value, path, bounds) => [...one(value, path, bounds), ...other(value, path, bounds)];

/** Several keys with the same shape. */
export const all = (names: string, shape: Shape = anything): Record<string, Shape> =>
  Object.fromEntries(names.split(" ").map((name) => [name, shape]));
