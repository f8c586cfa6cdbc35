/** The arguments of a gateway's culler and activator. */

import { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { another, judgedBy } from "../kit/guard.ts";
import { input } from "../kit/schema.ts";
import { matching, whole } from "../kit/shapes.ts";
import { resourcesArg } from "../kubernetes/resources.ts";
import { dnsLabel, imageReference } from "../kubernetes/shapes.ts";

const prometheusUrl = matching(
  /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/,
  'is not an address of a Prometheus; write it like "http://prometheus.monitoring.svc:9090", without credentials',
);

export const idleResources = {
  requests: { cpu: "20m", memory: "96Mi" },
  limits: { memory: "512Mi" },
} as const;

export const gatewayIdleSchema = group(
  "SshGatewayIdleArgs",
  "Lets this gateway's containers sleep and wake: a culler that puts idle ones to sleep, and an activator that " +
    "answers for them meanwhile. Containers say with their own `idle` whether they sleep.",
  {
    image: arg(input(imageReference), "The image of both, built with `packages/images/build.sh programs`.", {
      effect: ["restart", "opens"],
      guard: judgedBy("elsewhere", "cluster-rights"),
    }),
    resources: resourcesArg(
      "CPU and memory of each of their pods: one culler, two activators.",
      idleResources,
    ),
    periodSeconds: arg(
      input(whole(1, 600, "seconds")).default(30),
      "How often every container is looked at.",
    ),
    wakesPerHour: arg(
      input(whole(1, 1000, "wakes")).default(12),
      "How often one container may be woken within an hour.",
    ),
    wakeQuietSeconds: arg(
      input(whole(0, 3600, "seconds")).default(60),
      "Seconds that tell a person from an editor that reconnects by itself: after a container was seen " +
        "to stop, attempts that follow each other faster do not wake it. `drawbridge wake` always does.",
    ),
    gpuMetrics: arg(
      group(
        "SshGatewayGpuMetricsArgs",
        "A Prometheus with the metrics of NVIDIA's DCGM exporter.",
        {
          prometheus: arg(input(prometheusUrl), "Its address, without credentials.", {
            example: '"http://prometheus.monitoring.svc:9090"',
          }),
          namespace: arg(
            input(dnsLabel),
            "The namespace of its pods, which the culler may reach and which may scrape culler and activator.",
            { effect: ["opens", "closes"], guard: another("network-wall") },
          ),
          query: arg(
            input(z.string().min(1)).optional(),
            "What it is asked; `NAMESPACE` and `POD` stand for the container's own. The answer is one series, " +
              "in percent.",
            { default: "- the highest DCGM_FI_DEV_GPU_UTIL of the pod" },
          ),
        },
        { effect: ["restart"] },
      ).optional(),
      "A Prometheus that knows the use of GPUs, for containers with `signals.gpuAbovePercent`.",
    ),
  },
  { effect: ["restart"] },
).optional();

export type GatewayIdleParsed = NonNullable<z.output<typeof gatewayIdleSchema>>;
