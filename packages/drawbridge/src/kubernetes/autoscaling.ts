/** A number of proxies that follows the load: its arguments, their check, and the object. */
import type { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { type Input, known } from "../kit/input.ts";
import { input, type RaiseFault } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { type Manifest, metadataOf } from "./manifest.ts";
import type { Owner } from "./own-namespace.ts";

const replicas = whole(1, 100, "replicas");

/** @param name of the interface of the arguments */
export const autoscalingArg = (name: string) =>
  arg(
    group(name, "How the number of proxies follows the load.", {
      minReplicas: arg(input(replicas).default(2), "The fewest proxies that run."),
      maxReplicas: arg(input(replicas, "a whole number"), "The most proxies that may run."),
      targetCPUUtilizationPercentage: arg(
        input(whole(1, 100, "percent")).default(70),
        "CPU use, in percent of the request, above which another proxy is started.",
      ),
    }).optional(),
    "Lets the load decide how many proxies run, instead of `replicas`. It needs the metrics server.",
    { effect: [] },
  );

/** @param whenOneStops what becomes of what is open on a proxy */
export const replicasArg = (whenOneStops: string) =>
  arg(input(replicas).optional(), `How many proxies run. ${whenOneStops}`, { effect: [], default: "2" });

type AutoscalingParsed = z.output<ReturnType<typeof autoscalingArg>>;

interface Scaled {
  readonly replicas?: Input<number> | undefined;
  readonly autoscaling?: AutoscalingParsed;
}

/** How many run; undefined where an autoscaler decides. */
export const replicasOf = ({ autoscaling, replicas }: Scaled) =>
  autoscaling === undefined ? (replicas ?? 2) : undefined;

interface Args {
  readonly replicas?: unknown;
  readonly autoscaling?: Partial<AutoscalingParsed>;
}

export function checkAutoscaling({ autoscaling, replicas }: Args, fault: RaiseFault): void {
  if (autoscaling !== undefined && replicas !== undefined)
    fault`replicas: cannot be set with autoscaling, which decides the number; remove one of the two`;
  const [minReplicas, maxReplicas] = [known(autoscaling?.minReplicas), known(autoscaling?.maxReplicas)];
  if (minReplicas !== undefined && maxReplicas !== undefined && minReplicas > maxReplicas) {
    fault`autoscaling.maxReplicas: ${maxReplicas} is below minReplicas (${minReplicas}); raise it`;
  }
}

/** Grows fast and shrinks slowly: a pod that leaves takes its drain window. */
export function autoscaler(
  plan: Owner & { readonly name: string },
  autoscaling: NonNullable<AutoscalingParsed>,
): Manifest<"HorizontalPodAutoscaler"> {
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: metadataOf(plan.name, plan),
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: plan.name },
      minReplicas: autoscaling.minReplicas,
      maxReplicas: autoscaling.maxReplicas,
      metrics: [
        {
          type: "Resource",
          resource: {
            name: "cpu",
            target: { type: "Utilization", averageUtilization: autoscaling.targetCPUUtilizationPercentage },
          },
        },
      ],
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 1800,
          policies: [{ type: "Pods", value: 1, periodSeconds: 600 }],
        },
      },
    },
  };
}
