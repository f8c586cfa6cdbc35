import { type DevContainerPlan, wayConditions, workloadState } from "@drawbridge-iac/manifests";
import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { whenTold } from "./dev-container-client.ts";
import { output } from "./inputs.ts";

/** One statement about a container. */
export interface DevContainerCondition {
  /** `SshReady`, and for the ways in `GatewayRoute`, `FrpcRunning`, `SshpodGranted`. */
  type: string;
  /** Whether it holds. */
  status: boolean;
  /** Why, in one word. */
  reason: string;
  /** What is to be done where it does not hold; may be empty. */
  message: string;
}

/** The state of a container as its objects report it. */
export interface DevContainerStatus {
  /** `Off`: `running` is false. `Asleep`: nobody used it. `Pending`: nothing reported yet. `Starting`: no pod of the newest specification is ready. `Ready`: one is, sshd listens. */
  phase: string;
  /** Pods with the newest specification. */
  updatedPods: number;
  /** Pods with the newest specification that are ready: with sshd, those in which it listens. */
  readyPods: number;
  /** sshd and each way in, in the order in which clients try them. */
  conditions: DevContainerCondition[];
}

/** @param route the gateway's route, which must stand before its way is told of */
export function containerStatus(
  plan: DevContainerPlan,
  workload: k8s.apps.v1.StatefulSet,
  route: pulumi.CustomResource | undefined,
): pulumi.Output<DevContainerStatus> {
  const address = output(plan.gatewayAddress);
  const { metadata, status } = workload;
  return pulumi
    .all([metadata, status, address, route?.id])
    .apply(([{ generation }, status, gatewayAddress]) => {
      const state = workloadState({ generation, status }, plan.running, plan.idle !== undefined);
      const isAsleep = state.phase === "Asleep";
      return whenTold(plan, (known) => {
        const conditions = wayConditions(known, { readyPods: state.readyPods, isAsleep, gatewayAddress });
        return { ...state, conditions: conditions.map((one) => ({ ...one })) };
      });
    });
}
