/** The platform's bounds: known keys, authorities and networks, in a file that a pull request cannot write. */
import { parseCidr } from "@drawbridge-iac/manifests";
import { z } from "zod";
import { keyText, people } from "./key-owners.ts";

const network = z.string().transform((text, context) => {
  const range = parseCidr(text);
  if (range !== undefined) return range;
  context.addIssue({ code: "custom", message: "is not a network; write it like 10.20.0.0/16", input: text });
  return z.NEVER;
});
const setOf = (item: z.ZodType<string>) =>
  z
    .array(item)
    .default([])
    .transform((all): ReadonlySet<string> => new Set(all));

const boundsSchema = z.strictObject({
  /** Names by fingerprint, read from keys by person. If given, every key must be one of these. */
  people: people.optional(),
  /** Fingerprints of authorities whose user certificates may be accepted. */
  userCas: setOf(keyText),
  /** Private networks that containers may reach. */
  networks: z.array(network).default([]),
  /** Namespaces, besides those of the stack's components, in which a program's own objects may be. */
  namespaces: setOf(z.string()),
  /** Annotations that open nothing, by their names or their prefixes, such as `cost.example.com`. */
  annotations: setOf(z.string()),
  /** Pulumi packages whose resources are not judged, such as `aws`. */
  packages: setOf(z.string()),
  /** Whether a change may leave sessions running whose key, authority or principal it removes. */
  openSessions: z.enum(["reported", "refused"]).default("reported"),
});

export type Bounds = Readonly<z.output<typeof boundsSchema>>;

export const noBounds: Bounds = boundsSchema.parse({});

/** @throws Error with every fault of the file */
export function parseBounds(data: unknown, file: string): Bounds {
  const parsed = boundsSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path, message }) => `\n  - ${path.join(".") || "the file"}: ${message}`,
  );
  throw new Error(`${file}: ${faults.length} faults${faults.join("")}`);
}
