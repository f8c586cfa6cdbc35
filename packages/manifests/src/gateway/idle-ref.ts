/** Who puts a gateway's containers to sleep and wakes them, as containers have to know it. */
import { z } from "zod";
import { strict } from "../common/schema.ts";
import { dnsLabel, serviceName } from "../common/shapes.ts";

export const idleRefSchema = strict({
  namespace: dnsLabel,
  culler: serviceName,
  activator: serviceName,
  gpuMetrics: z.boolean(),
});

/** Service accounts, both in one namespace, and whether there is anybody who knows of GPUs. */
export type IdleAccounts = z.output<typeof idleRefSchema>;
