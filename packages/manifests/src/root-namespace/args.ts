/** The zod schemas of RootNamespace's arguments and of what it gives out; the documented interfaces are in the components package. */
import { z } from "zod";
import { strict } from "../common/schema.ts";
import { cidr, dnsLabel, objectName } from "../common/shapes.ts";

/** What a platform says of a namespace whose containers may have root. */
export const rootPodsArgs = {
  serviceAccountNames: z
    .array(objectName)
    .default([])
    .describe("ServiceAccounts that pods may run as, besides the namespace's default one."),
  containersInside: z
    .boolean()
    .default(false)
    .describe(
      "Whether pods may start containers inside: three capabilities in their own user namespace, and Pod Security privileged.",
    ),
};

export const rootNamespaceSchema = strict({
  namespace: dnsLabel,
  createNamespace: z.boolean().default(true),
  egress: strict({ allow: z.array(cidr).default([]) }).prefault({}),
  ...rootPodsArgs,
});

export type RootNamespaceInput = z.input<typeof rootNamespaceSchema>;
export type RootNamespaceParsed = z.output<typeof rootNamespaceSchema>;

/** Plain, so a team can preview before the namespace exists; a preview cannot ask the cluster whether it does. */
export const rootNamespaceRefSchema = strict({
  namespace: dnsLabel,
  containersInside: z.boolean().default(false),
});
