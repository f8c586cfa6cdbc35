/** The arguments of RootNamespace, and what it gives out. */
import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { versionField } from "../common/reference.ts";
import { placed } from "../common/schema.ts";
import { cidr, dnsLabel, ownNamespace } from "../common/shapes.ts";
import { rootPodsArgs } from "../team/root-pods-args.ts";

export const rootNamespaceSchema = group("RootNamespaceArgs", "Arguments of {@link RootNamespace}.", {
  namespace: arg(placed(dnsLabel), "The namespace, of one team."),
  createNamespace: arg(
    z.boolean().default(true),
    'Whether to create it: as a team\'s, and with Pod Security "baseline" enforced, or with ' +
      "`containersInside` none. It is never deleted. `false` where another program makes it, which has " +
      "to lower its level after the policies stand.",
  ),
  egress: arg(
    group("RootNamespaceEgressArgs", "What pods may reach.", {
      allow: arg(
        z.array(cidr).default([]),
        "Private networks, in CIDR notation. Each opens its hosts to everybody with a shell there.",
        { default: "none" },
      ),
    }).prefault({}),
    "What the pods of a namespace that is made here may reach.",
  ),
  ...rootPodsArgs,
});

export type RootNamespaceInput = z.input<typeof rootNamespaceSchema>;
export type RootNamespaceParsed = z.output<typeof rootNamespaceSchema>;

/** A team can preview before the namespace exists; a preview cannot ask the cluster whether it does. */
export const rootNamespaceRefSchema = group(
  "RootNamespaceRefArgs",
  "What a container with root must know of its namespace. A team can be previewed before it exists.",
  {
    ...versionField,
    namespace: arg(placed(ownNamespace), "The namespace, which must be the container's."),
    containersInside: arg(
      placed(z.boolean(), "true or false").default(false),
      "Whether it allows `containersInside`.",
    ),
  },
);
