import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import type { DevContainerPlan } from "./plan.ts";

/** Mounted as a directory, never by subPath, so that a change reaches the running container. */
export function authorizedKeysConfigMap(plan: DevContainerPlan, text: Placed<string>): Manifest {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: plan.names.authorizedKeys, namespace: plan.namespace, labels: plan.labels },
    data: { authorized_keys: text },
  };
}
