/** What the platform knows: people's keys, authorities, networks. A file that a pull request cannot write. */
import { fingerprint, parseAuthorizedKey } from "@drawbridge-iac/manifests";
import { z } from "zod";
import { type IpRange, parseCidr } from "./ip.ts";

/** A fingerprint, or the public key's line of which it is one. */
const keyText = z.string().transform((text, context) => {
  if (/^SHA256:[A-Za-z0-9+/]{43}$/.test(text)) return text;
  try {
    return fingerprint(parseAuthorizedKey(text));
  } catch {
    const message = "is neither a fingerprint (SHA256:…) nor the line of a public key";
    context.addIssue({ code: "custom", message, input: undefined });
    return z.NEVER;
  }
});
const personSchema = z.union([
  z.array(keyText),
  z.looseObject({ keys: z.array(keyText) }).transform(({ keys }) => keys),
]);
const cidrText = z.string().refine((text) => parseCidr(text) !== undefined, {
  error: "is no network; write it like 10.20.0.0/16",
});

const boundsSchema = z.strictObject({
  /** Names to their keys, as lines or fingerprints. Where it is given, every key must belong to somebody. */
  people: z.record(z.string(), personSchema).optional(),
  /** Fingerprints of authorities whose user certificates may be accepted. */
  userCas: z.array(keyText).default([]),
  /** Private networks that containers may reach. */
  networks: z.array(cidrText).default([]),
});

export interface Bounds {
  /** Fingerprint to name; undefined where the platform does not ask for names. */
  readonly people: ReadonlyMap<string, string> | undefined;
  readonly userCas: ReadonlySet<string>;
  readonly networks: readonly IpRange[];
}

export const noBounds: Bounds = { people: undefined, userCas: new Set(), networks: [] };

/** @throws Error with every fault of the file */
export function parseBounds(data: unknown, file: string): Bounds {
  const parsed = boundsSchema.safeParse(data);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `\n  - ${path.join(".") || "the file"}: ${message}`,
    );
    throw new Error(`${file}: ${faults.length} faults${faults.join("")}`);
  }
  const { people, userCas, networks } = parsed.data;
  return {
    people:
      people &&
      new Map(Object.entries(people).flatMap(([name, keys]) => keys.map((key) => [key, name] as const))),
    userCas: new Set(userCas),
    networks: networks.flatMap((text) => parseCidr(text) ?? []),
  };
}
