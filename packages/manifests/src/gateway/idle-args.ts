/** The schema of those who put a gateway's containers to sleep and wake them. */
import { z } from "zod";
import { resourcesSchema } from "../common/resources.ts";
import { placed, strict } from "../common/schema.ts";
import { dnsLabel, imageReference, whole } from "../common/shapes.ts";

const prometheusUrl = z.string().refine((value) => /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(value), {
  error:
    'is not an address of a Prometheus; write it like "http://prometheus.monitoring.svc:9090", without credentials',
});

export const gatewayIdleSchema = strict({
  image: placed(imageReference),
  resources: resourcesSchema,
  everySeconds: whole(1, 600, "seconds").default(30),
  wakesPerHour: whole(1, 1000, "wakes").default(12),
  reconnectPauseSeconds: whole(0, 3600, "seconds").default(60),
  gpuMetrics: strict({
    prometheus: prometheusUrl,
    namespace: dnsLabel,
    query: z.string().min(1).optional(),
  }).optional(),
}).optional();

export type GatewayIdleParsed = NonNullable<z.output<typeof gatewayIdleSchema>>;
