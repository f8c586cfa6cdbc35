/** Who is behind a key. Wherever the platform says it, it says it like this. */
import { fingerprint, parseAuthorizedKey } from "@drawbridge-iac/manifests";
import { z } from "zod";

/** A fingerprint, or the public key's line of which it is one. */
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
  // A person may have more than keys; that is not the guard's business.
  z.looseObject({ keys: z.array(keyText) }).transform(({ keys }) => keys),
]);

/** Names to keys, read as fingerprints to names. A key that two people have would be nobody's. */
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
