/** Owners of keys, as the platform lists them. */
import { fingerprint, parseAuthorizedKey } from "@drawbridge-iac/manifests";
import { z } from "zod";

/** A fingerprint, or a public key's line. */
export const keyText = z.string().transform((text, context) => {
  if (/^SHA256:[A-Za-z0-9+/]{43}$/.test(text)) return text;
  try {
    return fingerprint(parseAuthorizedKey(text));
  } catch {
    const message = "is neither a fingerprint (SHA256:…) nor the line of a public key";
    context.addIssue({ code: "custom", message, input: undefined });
    return z.NEVER;
  }
});

const person = z.union([
  z.array(keyText),
  // Other fields of a person are ignored.
  z.looseObject({ keys: z.array(keyText) }).transform(({ keys }) => keys),
]);

/** Keys by person, read as persons by fingerprint. A key of two people is refused. */
export const people = z.record(z.string(), person).transform((all, context) => {
  const names = new Map<string, string>();
  for (const [name, keys] of Object.entries(all)) {
    for (const key of keys) {
      const other = names.get(key) ?? name;
      if (other !== name) {
        const message = `${key} belongs to ${other} as well; give each person keys of their own`;
        context.addIssue({ code: "custom", message, path: [name], input: undefined });
      }
      names.set(key, name);
    }
  }
  return names;
});
