import type { Input, InputList } from "../kit/input.ts";
import type { PodSpec } from "./kinds.ts";
import { compact, type Manifest, metadataOf, skipAwait } from "./manifest.ts";
import type { Owner } from "./own-namespace.ts";
import { pulledWith } from "./pod.ts";

/** What tells one workload of ours from another, and its pods from others'. */
export interface Workload extends Owner {
  readonly name: string;
  readonly selector: Readonly<Record<string, Input<string>>>;
}

export interface DeploymentParts extends Workload {
  /** Undefined where an autoscaler decides. */
  readonly replicas?: Input<number> | undefined;
  /** Whether `pulumi up` waits for it; it does unless this is false. */
  readonly wait?: boolean;
  /** Whether an old pod is gone before a new one is made. */
  readonly recreate?: boolean;
  /** Labels of its pods besides those of the Deployment. */
  readonly podLabels?: Readonly<Record<string, Input<string>>>;
  readonly podAnnotations: Readonly<Record<string, Input<string>>>;
  /** Secrets by which its images are pulled. */
  readonly imagePullSecrets: InputList<string>;
  readonly pod: PodSpec;
}

/** In an update a new pod is ready before an old one begins to stop, so that sessions and downloads find someone. */
export function deployment(parts: DeploymentParts): Manifest<"Deployment"> {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadataOf(parts.name, parts, parts.wait === false ? { ...skipAwait } : undefined),
    spec: compact({
      replicas: parts.replicas,
      selector: { matchLabels: parts.selector },
      strategy: parts.recreate
        ? { type: "Recreate" }
        : { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: { ...parts.labels, ...parts.podLabels }, annotations: parts.podAnnotations },
        spec: { ...parts.pod, ...pulledWith(parts.imagePullSecrets) },
      },
    }),
  };
}

/** @param maxUnavailable how many pods a voluntary disruption (a node drain) may take at a time */
export function disruptionBudget(
  { name, namespace, labels, selector }: Workload,
  maxUnavailable: Input<number>,
): Manifest<"PodDisruptionBudget"> {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace, labels },
    spec: {
      maxUnavailable,
      selector: { matchLabels: selector },
      // A pod that never became ready protects nobody's session.
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}
