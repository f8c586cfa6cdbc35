/** Who puts a gateway's containers to sleep and wakes them, as containers have to know it. */
import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { dnsLabel, serviceName } from "../common/shapes.ts";

export const idleRefSchema = group(
  "SshGatewayIdleRefArgs",
  "Who puts a gateway's containers to sleep and wakes them.",
  {
    namespace: arg(dnsLabel, "Namespace of both service accounts."),
    culler: arg(serviceName, "The culler's service account."),
    activator: arg(serviceName, "The activator's service account."),
    gpuMetrics: arg(z.boolean(), "Whether the use of GPUs is known.", { effect: [] }),
  },
  { effect: ["opens", "closes"] },
);

/** Service accounts, both in one namespace, and whether there is anybody who knows of GPUs. */
export type IdleAccounts = z.output<typeof idleRefSchema>;
