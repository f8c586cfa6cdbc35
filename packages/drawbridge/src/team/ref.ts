/** What a Team is to others: its `ref`. */
import { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { versionField } from "../kit/reference.ts";
import { input } from "../kit/schema.ts";
import { ownNamespace } from "../kubernetes/shapes.ts";
import type { TeamPlan } from "./args.ts";

export const teamRefSchema = group(
  "TeamRefArgs",
  "What containers must know of their team. They can be previewed before it exists.",
  {
    ...versionField,
    namespace: arg(input(ownNamespace), "The team's namespace, which must be the container's."),
    root: arg(input(z.boolean(), "true or false").default(false), "Whether it allows `root`."),
    containersInside: arg(
      input(z.boolean(), "true or false").default(false),
      "Whether it allows `containersInside`.",
    ),
  },
);

export function teamRef({ namespace, root }: TeamPlan) {
  return { namespace, root: root !== undefined, containersInside: root?.containersInside ?? false };
}
