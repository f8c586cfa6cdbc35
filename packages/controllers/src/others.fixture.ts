/** Objects with wrong values in any field, for tests that what one team writes harms no other. */
import fc from "fast-check";

const nested = (depth: number) => {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
};

/** What may stand in the place of any field; undefined for nothing at all. */
const strangers: readonly unknown[] = [
  ...[undefined, null, true, false],
  ...[
    0,
    -0,
    1,
    -1,
    0.5,
    7,
    2 ** 31,
    2 ** 53,
    1e21,
    1e300,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ],
  ...[
    "",
    "0",
    "1",
    "NaN",
    "1e999",
    "null",
    "{}",
    "[]",
    "{",
    '"',
    "true",
    "x",
    "\u0000\ud800\n\r",
    "..",
    "../../x",
  ],
  ...["__proto__", "constructor", "Apply", "1", "2026-13-45T99:99:99Z", "0000-01-01T00:00:00Z"],
  ...["9999-12-31T23:59:59Z", "+275760-09-13T00:00:00Z", "1969-12-31T23:59:59Z", "soon", "10.0.0.300", "::"],
  ...[
    "x".repeat(2 ** 20),
    "[".repeat(20_000),
    `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
    "a-".repeat(30_000),
  ],
  ...[
    [],
    [null],
    [[]],
    [0],
    ["x"],
    [{}],
    Array(10_000).fill(null),
    Array(10_000).fill({}),
    Array(10_000).fill("x"),
  ],
  ...[{}, { "": null }, { toString: 1, valueOf: 1 }, JSON.parse('{"__proto__":{"then":1},"then":{}}')],
  Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, `${index}`])),
  nested(10_000),
];

export type Path = readonly (string | number)[];

/** Each field of a value, the whole first. */
export function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, field]) => pathsOf(field, [...at, key]))];
}

/** The value with another in the place of one of its fields. */
export function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  const field = replaced(copy[key], rest, by);
  if (field !== undefined) copy[key] = field;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}

/** An object with any value in the place of any of its fields, or of several. */
export const spoiled = (object: object): fc.Arbitrary<unknown> =>
  fc
    .array(
      fc.tuple(fc.constantFrom(...pathsOf(object)), fc.oneof(fc.constantFrom(...strangers), fc.jsonValue())),
      { minLength: 1, maxLength: 3 },
    )
    .map((edits) =>
      edits.reduce<unknown>(
        (value, [path, by]) => (at(value, path) ? replaced(value, path, by) : value),
        object,
      ),
    );

const at = (value: unknown, path: Path): boolean => {
  let here = value;
  for (const key of path.slice(0, -1)) here = (here as Record<string, unknown> | undefined | null)?.[key];
  return path.length === 0 || (typeof here === "object" && here !== null);
};

/** An object with each of the strangers in the place of each of its fields. */
export const allSpoiled = (
  object: object,
): { readonly path: Path; readonly by: unknown; readonly spoiled: unknown }[] =>
  pathsOf(object).flatMap((path) =>
    strangers.map((by) => ({ path, by, spoiled: replaced(object, path, by) })),
  );

/** How a failure names one of them. */
export const named = ({ path, by }: { readonly path: Path; readonly by: unknown }) =>
  `${path.join(".") || "all of it"} = ${shown(by)}`;

function shown(by: unknown): string {
  if (by === undefined || typeof by === "number") return String(by);
  if (typeof by === "string") return JSON.stringify(by.slice(0, 30));
  const size = Object.keys(Object(by)).length;
  try {
    return size > 9 ? `${size} fields` : (JSON.stringify(by) ?? "");
  } catch {
    return "deep nesting";
  }
}
