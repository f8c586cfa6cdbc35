/** The platform's bounds: known keys, authorities, networks and annotations, in a file that a pull request cannot write. */

import { parseHostPattern } from "@drawbridge-iac/drawbridge/src/host/egress/contract";
import { ofRegistry, openTo } from "@drawbridge-iac/drawbridge/src/host/egress/public-suffix";
import { fingerprint, parseAuthorizedKey } from "@drawbridge-iac/drawbridge/src/host/keys/authorized-keys";
import { type IpRange, parseCidr } from "@drawbridge-iac/drawbridge/src/kubernetes/ip";
import { z } from "zod";

/** A fingerprint, or a public key's line. */
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

const person = z.union([
  z.array(keyText),
  // Other fields of a person are ignored.
  z.looseObject({ keys: z.array(keyText) }).transform(({ keys }) => keys),
]);

/** Keys by person, read as persons by fingerprint. A key of two people is refused. */
const people = z.record(z.string(), person).transform((all, context) => {
  const names = new Map<string, string>();
  for (const [name, keys] of Object.entries(all)) {
    for (const key of keys) {
      const other = names.get(key) ?? name;
      if (other !== name) {
        const message = `${key} belongs to ${other} as well; set different keys for each person`;
        context.addIssue({ code: "custom", message, path: [name], input: undefined });
      }
      names.set(key, name);
    }
  }
  return names;
});

const network = z.string().transform((text, context) => {
  const range = parseCidr(text);
  if (range !== undefined) return range;
  context.addIssue({ code: "custom", message: "is not a network; write it like 10.20.0.0/16", input: text });
  return z.NEVER;
});
const host = z
  .string()
  .refine((text) => openTo(text) !== "registrants", { error: ofRegistry, abort: true })
  .refine((text) => parseHostPattern(text) !== undefined, {
    error: "is no host; write it like pypi.org, *.example.com or git.example.com:22",
  });

/** What a team's containers may be at most. */
const team = z.strictObject({ egress: z.strictObject({ hosts: z.array(host) }).optional() });

const setOf = (item: z.ZodType<string>) =>
  z
    .array(item)
    .default([])
    .transform((all): ReadonlySet<string> => new Set(all));

/** A text alone is a name. */
const named = <Shape extends z.ZodRawShape>(more: Shape) => {
  const item = z.strictObject({ name: z.string().min(1), ...more });
  const texts = z.string().transform((name): unknown => ({ name }));
  const error = `is neither a name nor a map of ${Object.keys(item.shape).join(", ")}`;
  return z.array(z.union([item, texts.pipe(item)], { error })).default([]);
};

/** Whose each namespace is: of the one stack that it names, or of whichever is judged with these bounds. */
const namespaces = z
  .union([z.array(z.string()), z.record(z.string(), z.string())], {
    error: "is neither a list of namespaces nor a map from each to its stack",
  })
  .default([])
  .transform(
    (given): ReadonlyMap<string, string | undefined> =>
      new Map(Array.isArray(given) ? given.map((name) => [name, undefined]) : Object.entries(given)),
  );

export interface Bounds {
  /** Names by fingerprint, read from keys by person. If given, every key must be one of these. */
  readonly people?: ReadonlyMap<string, string> | undefined;
  /** Fingerprints of authorities whose user certificates may be accepted. */
  readonly userCas: ReadonlySet<string>;
  /** Private networks that containers may reach. */
  readonly networks: readonly IpRange[];
  /** Namespaces in which nothing stands but what the stack's previews show, and what its people put there. */
  readonly namespaces: ReadonlyMap<string, string | undefined>;
  /** By namespace, the hosts of the internet that a team may name. If given, every host must be within one of these. */
  readonly teams: Readonly<
    Record<string, { readonly egress?: { readonly hosts: readonly string[] } | undefined }>
  >;
  /** Namespaces of the platform, to which nothing of a team's may come. */
  readonly platform: ReadonlySet<string>;
  /** Annotations that open nothing, by their names or their prefixes, such as `cost.example.com`. */
  readonly annotations: ReadonlySet<string>;
  /** Pulumi packages whose resources are not judged, such as `aws`. */
  readonly packages: ReadonlySet<string>;
  /** Providers that may run: by name, and by version and source (a download address) where they are set. */
  readonly providers: readonly {
    readonly name: string;
    readonly version?: string | undefined;
    readonly source?: string | undefined;
  }[];
  /** Where images of the platform's own pods come from, and whether only by digest. */
  readonly registries: readonly { readonly name: string; readonly digest: boolean }[];
  /** Whether a change may leave sessions running whose key, authority or principal it removes. */
  readonly openSessions: "reported" | "refused";
}

const boundsSchema: z.ZodType<Bounds> = z.strictObject({
  people: people.optional(),
  userCas: setOf(keyText),
  networks: z.array(network).default([]),
  namespaces,
  teams: z.record(z.string(), team).default({}),
  platform: setOf(z.string()),
  annotations: setOf(z.string()),
  packages: setOf(z.string()),
  providers: named({ version: z.string().optional(), source: z.string().optional() }),
  registries: named({ digest: z.boolean().default(false) }),
  openSessions: z.enum(["reported", "refused"]).default("reported"),
});

export const noBounds: Bounds = boundsSchema.parse({});

/** @throws Error with every fault of the file */
export function parseBounds(data: unknown, file: string): Bounds {
  const parsed = boundsSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw faultyFile(file, issueTexts(parsed.error));
}

export const issueTexts = ({ issues }: z.ZodError) =>
  issues.map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`);

export const faultyFile = (file: string, faults: readonly string[]) =>
  new Error(`${file}: ${faults.length} faults${faults.map((fault) => `\n  - ${fault}`).join("")}`);

// Annotations by which nobody opens anything. Whatever else there is may be read by a network, a runtime, a cloud or a tool.
const harmless = [
  // Plain words are the author's own; some runtimes read names with dots and no prefix.
  /^[\w-]+$/,
  // A new value starts pods anew; what kubectl shows first.
  /^(checksum|kubectl\.kubernetes\.io)\//,
  // Where the pod's own metrics are.
  /^prometheus\.io\/(scrape|port|path|scheme)$/,
  // That a node's autoscaler leaves the pod where it is.
  /^(cluster-autoscaler\.kubernetes\.io\/safe-to-evict|karpenter\.sh\/do-not-disrupt)$/,
  // For what Pulumi waits.
  /^pulumi\.com\/(skipAwait|timeoutSeconds|waitFor)$/,
];

/** @param bounds of the platform, which knows its own prefixes */
export const isHarmless = (name: string, { annotations }: Bounds) =>
  harmless.some((known) => known.test(name)) ||
  annotations.has(name) ||
  annotations.has(name.split("/")[0] ?? "");
