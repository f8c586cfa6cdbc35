import { compact, type Manifest, skipAwait } from "../common/manifest.ts";
import type { StoragePlan } from "./plan.ts";

/** The data. Its own object, so that it outlives accessor, preparation and containers; it may grow in place. */
export function storageClaim(plan: StoragePlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: plan.names.claim,
      namespace: plan.namespace,
      labels: plan.labels,
      annotations: { ...skipAwait },
    },
    spec: compact({
      accessModes: [plan.accessMode],
      storageClassName: plan.storageClass,
      resources: { requests: { storage: plan.size } },
    }),
  };
}
