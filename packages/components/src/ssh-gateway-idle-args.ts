import type * as pulumi from "@pulumi/pulumi";
import type { ResourcesArgs } from "./resources-args.ts";

/**
 * Lets this gateway's containers sleep and wake: a culler that puts idle ones to sleep, and an activator that answers for them
 * meanwhile. Containers say with their own `idle` whether they sleep.
 */
export interface SshGatewayIdleArgs {
  /** The image of both, built with `packages/images/build.sh idle`. */
  image: pulumi.Input<string>;
  /**
   * CPU and memory of each of the two.
   * @default requests of 20m CPU and 96Mi, a limit of 512Mi memory
   */
  resources?: ResourcesArgs;
  /**
   * How often every container is looked at.
   * @default 30
   */
  everySeconds?: number;
  /**
   * How often one container may be woken within an hour.
   * @default 12
   */
  wakesPerHour?: number;
  /**
   * Seconds that tell a person from an editor that reconnects by itself: after a container was seen to stop, attempts that
   * follow each other faster do not wake it. `drawbridge wake` always does.
   * @default 60
   */
  reconnectPauseSeconds?: number;
  /** A Prometheus that knows the use of GPUs, for containers with `signals.gpuAbovePercent`. */
  gpuMetrics?: SshGatewayGpuMetricsArgs;
}

/** A Prometheus with the metrics of NVIDIA's DCGM exporter. */
export interface SshGatewayGpuMetricsArgs {
  /**
   * Its address, without credentials.
   * @example "http://prometheus.monitoring.svc:9090"
   */
  prometheus: string;
  /** The namespace of its pods, which the culler may reach and which may scrape culler and activator. */
  namespace: string;
  /**
   * What it is asked; `NAMESPACE` and `POD` stand for the container's own. The answer is one series, in percent.
   * @default - the highest DCGM_FI_DEV_GPU_UTIL of the pod
   */
  query?: string;
}

/** Who puts a gateway's containers to sleep and wakes them. */
export interface SshGatewayIdleRefArgs {
  /** Namespace of both service accounts. */
  namespace: string;
  /** The culler's service account. */
  culler: string;
  /** The activator's service account. */
  activator: string;
  /** Whether the use of GPUs is known. */
  gpuMetrics: boolean;
}
