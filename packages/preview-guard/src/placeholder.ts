/** Placeholders in a preview: values that are unknown before `up`, or secret. */

/** Pulumi's placeholder for an unknown text. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const secretText = "[secret]";

/** Whether a text is, or holds, what is known at `up` only. */
export const isUnknown = (text: string) => text.includes(unknownText);

/** Paths below `value` whose value is not shown. */
export function hiddenPaths(value: unknown, path: string): string[] {
  if (typeof value === "string") {
    return isUnknown(value) || value === secretText ? [path] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    hiddenPaths(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
  );
}
