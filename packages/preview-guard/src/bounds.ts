/** The platform's bounds: known keys, authorities and networks, in a file that a pull request cannot write. */
import { type IpRange, parseCidr } from "@drawbridge-iac/manifests";
import { z } from "zod";
import { keyText, people } from "./key-owners.ts";

const cidrText = z.string().refine((text) => parseCidr(text) !== undefined, {
  error: "is not a network; write it like 10.20.0.0/16",
});

const boundsSchema = z.strictObject({
  /** Keys by person, as lines or fingerprints. If given, every key must be one of these. */
  people: people.optional(),
  /** Fingerprints of authorities whose user certificates may be accepted. */
  userCas: z.array(keyText).default([]),
  /** Private networks that containers may reach. */
  networks: z.array(cidrText).default([]),
  /** Namespaces, besides those of the stack's components, in which a program's own objects may be. */
  namespaces: z.array(z.string()).default([]),
  /** Pulumi packages whose resources are not judged, such as `aws`. */
  packages: z.array(z.string()).default([]),
  /** Whether a change may leave sessions running whose key, authority or principal it removes. */
  openSessions: z.enum(["reported", "refused"]).default("reported"),
});

export interface Bounds {
  /** Fingerprint to name; undefined where the platform does not ask for names. */
  readonly people: ReadonlyMap<string, string> | undefined;
  readonly userCas: ReadonlySet<string>;
  readonly networks: readonly IpRange[];
  readonly namespaces: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
  readonly openSessions: "reported" | "refused";
}

export const noBounds: Bounds = {
  people: undefined,
  userCas: new Set(),
  networks: [],
  namespaces: new Set(),
  packages: new Set(),
  openSessions: "reported",
};

/** @throws Error with every fault of the file */
export function parseBounds(data: unknown, file: string): Bounds {
  const parsed = boundsSchema.safeParse(data);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `\n  - ${path.join(".") || "the file"}: ${message}`,
    );
    throw new Error(`${file}: ${faults.length} faults${faults.join("")}`);
  }
  const { people: names, userCas, networks, namespaces, packages, openSessions } = parsed.data;
  return {
    people: names,
    userCas: new Set(userCas),
    networks: networks.flatMap((text) => parseCidr(text) ?? []),
    namespaces: new Set(namespaces),
    packages: new Set(packages),
    openSessions,
  };
}
