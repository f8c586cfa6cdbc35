/**
 * The shape that a policy accepts comes from the builder itself. The builder runs with holes in place of the values that
 * differ; an object must equal the result, with its own values in the holes. So a field that the builder does not write
 * is refused, whether anybody knew of it or not.
 */

const [begin, end] = ["\u{E000}", "\u{E001}"];

/** Stands for a value of the object's, by its CEL expression; other rules say which values it may have. */
export const hole = <T = string>(expression: string): T => `${begin}${expression}${end}` as T;

/** CEL: what a builder made with holes. */
export function shapeOf(made: unknown): string {
  if (typeof made === "string") return textOf(made);
  if (typeof made !== "object" || made === null) return String(made);
  if (Array.isArray(made)) return `[${made.map(shapeOf).join(", ")}]`;
  const fields = Object.entries(made).map(([name, value]) => `'${name}': ${ofAnyType(value)}`);
  return `{${fields.join(", ")}}`;
}

/** CEL wants all values of a map to be of one type. */
const ofAnyType = (value: unknown) => `dyn(${shapeOf(value)})`;

function textOf(text: string): string {
  const parts = text.split(new RegExp(`[${begin}${end}]`, "u"));
  if (parts.length === 3 && parts[0] === "" && parts[2] === "") return parts[1] as string;
  return parts
    .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : `string(${part})`))
    .filter((part) => part !== '""')
    .join(" + ");
}
