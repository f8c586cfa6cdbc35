import { compact, type Manifest, skipAwait } from "../common/manifest.ts";
import type { DevContainerPlan } from "./plan.ts";
import type { PodPart } from "./pod-part.ts";

/** The home claim is its own object, so it outlives the workload; a larger size is accepted in place. */
export function homeClaim(plan: DevContainerPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: plan.names.home,
      namespace: plan.namespace,
      labels: plan.labels,
      annotations: { ...skipAwait },
    },
    spec: compact({
      accessModes: [plan.home.accessMode],
      storageClassName: plan.home.storageClass,
      resources: { requests: { storage: plan.home.size } },
    }),
  };
}

export function homePart(plan: DevContainerPlan): PodPart {
  return {
    volumes: [{ name: "home", persistentVolumeClaim: { claimName: plan.names.home } }],
    mounts: [{ name: "home", mountPath: plan.homePath }],
  };
}
