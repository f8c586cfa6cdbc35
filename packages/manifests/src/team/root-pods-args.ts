/** What a platform says of a namespace whose containers may have root. */
import { z } from "zod";
import { arg } from "../common/arg.ts";
import { objectName } from "../common/shapes.ts";

export const rootPodsArgs = {
  serviceAccountNames: arg(
    z.array(objectName).default([]),
    "ServiceAccounts that its pods may run as, besides the namespace's default one. Whoever has a " +
      "shell there has the rights of each.",
    { default: "none" },
  ),
  containersInside: arg(
    z.boolean().default(false),
    "Whether its containers may start containers inside. Pods may then have SYS_ADMIN, NET_ADMIN and " +
      "SYS_PTRACE in their own user namespace, with which they mount and route in it, and Pod Security " +
      'is "privileged": the policies alone stand.',
    { default: "false" },
  ),
};
