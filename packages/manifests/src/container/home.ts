import { compact, type Manifest, skipAwait } from "../common/manifest.ts";
import type { DevContainerPlan } from "./plan.ts";
import type { PodPart } from "./pod-part.ts";

/** The home claim is its own object, so it outlives the workload; a larger size is accepted in place. */
export function homeClaim(plan: DevContainerPlan): Manifest {
  return volumeClaim(plan, plan.names.home, plan.home);
}

/** A claim of the container's own, with a fixed name. */
export function volumeClaim(
  plan: DevContainerPlan,
  name: string,
  volume: DevContainerPlan["home"],
): Manifest {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name,
      namespace: plan.namespace,
      labels: plan.labels,
      annotations: { ...skipAwait },
    },
    spec: compact({
      accessModes: [volume.accessMode],
      storageClassName: volume.storageClass,
      resources: { requests: { storage: volume.size } },
    }),
  };
}

export function homePart(plan: DevContainerPlan): PodPart {
  return {
    volumes: [{ name: "home", persistentVolumeClaim: { claimName: plan.names.home } }],
    mounts: [{ name: "home", mountPath: plan.homePath }],
  };
}
