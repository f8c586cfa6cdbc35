import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { placed } from "../common/schema.ts";
import { dnsLabel, serviceName } from "../common/shapes.ts";

export const idleRefSchema = group(
  "SshGatewayIdleRefArgs",
  "Who puts a gateway's containers to sleep and wakes them.",
  {
    namespace: arg(placed(dnsLabel), "Namespace of both service accounts."),
    cullerServiceAccountName: arg(placed(serviceName), "The culler's service account."),
    activatorServiceAccountName: arg(placed(serviceName), "The activator's service account."),
    gpuMetrics: arg(placed(z.boolean(), "true or false"), "Whether the use of GPUs is known.", {
      effect: [],
    }),
  },
  { effect: ["opens", "closes"] },
);

/** Service accounts, both in one namespace, and whether there is anybody who knows of GPUs. */
export type IdleAccounts = z.output<typeof idleRefSchema>;
