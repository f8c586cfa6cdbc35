import { proxyPod } from "../istio/proxy.ts";
import { type Manifest, metadataOf } from "../kubernetes/manifest.ts";
import { deployment } from "../kubernetes/workload.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The gateway's proxy. */
export const gatewayDeployment = (plan: SshGatewayPlan): Manifest<"Deployment"> =>
  deployment({ ...plan, ...proxyPod(plan) });

/** Grows fast and shrinks slowly: a pod that leaves takes its drain window. */
export function gatewayAutoscaler(
  plan: SshGatewayPlan,
  autoscaling: NonNullable<SshGatewayPlan["autoscaling"]>,
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
