import {
  type DevContainerPlan,
  type DevContainerStatus,
  containerStatus as statusOf,
  wayConditions,
  workloadReading,
} from "@drawbridge-iac/manifests";
import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { whenTold } from "./host-client.ts";
import { output } from "./inputs.ts";

/** @param route the gateway's route; without it the gateway is no way in yet */
export function containerStatus(
  plan: DevContainerPlan,
  workload: k8s.apps.v1.StatefulSet,
  route: pulumi.CustomResource | undefined,
): pulumi.Output<DevContainerStatus> {
  const { running, idle, hasSshd, frpc } = plan;
  const declared = { running, sleeps: idle !== undefined, hasSshd, hasFrpc: frpc !== undefined };
  return pulumi
    .all([workload.metadata, workload.status, output(plan.gatewayAddress), route?.id])
    .apply(([{ generation }, status, gatewayAddress]) =>
      whenTold(plan, (known) => {
        const { phase, conditions } = statusOf(
          workloadReading({ metadata: { generation }, status }),
          declared,
        );
        return { phase, conditions: [...conditions, ...wayConditions(known, gatewayAddress)] };
      }),
    );
}
