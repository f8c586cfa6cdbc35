import * as m from "@drawbridge-iac/manifests";
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
  /** `Off`: `running` is false. `Asleep`: nobody used it. `Pending`: nothing reported yet. `Starting`: a pod that is not ready. `Ready`: sshd listens. */
  phase: string;
  /** Pods with the newest specification. */
  updatedPods: number;
  /** Pods that are ready: with sshd, those in which it listens. */
  readyPods: number;
  /** sshd and each way in, in the order in which clients try them. */
  conditions: DevContainerCondition[];
}

/** @param route the gateway's route, which must stand before its way is told of */
export function containerStatus(
  plan: m.DevContainerPlan,
  workload: k8s.apps.v1.StatefulSet,
  route: pulumi.CustomResource | undefined,
): pulumi.Output<DevContainerStatus> {
  const address = output<string | undefined>(plan.access.gateway?.address);
  return pulumi.all([workload.status, address, route?.id]).apply(([status, gatewayAddress]) => {
    const updatedPods = status?.updatedReplicas ?? 0;
    const readyPods = status?.readyReplicas ?? 0;
    const isAsleep = plan.idle !== undefined && status?.replicas === 0;
    const phase =
      plan.running && isAsleep ? "Asleep" : phaseOf(plan.running, readyPods, status !== undefined);
    return whenTold(plan, (known) => {
      const conditions = m
        .wayConditions(known, { readyPods, isAsleep, gatewayAddress })
        .map((one) => ({ ...one }));
      return { phase, updatedPods, readyPods, conditions };
    });
  });
}

function phaseOf(running: boolean, readyPods: number, reported: boolean): string {
  if (!running) return "Off";
  if (readyPods > 0) return "Ready";
  return reported ? "Starting" : "Pending";
}
