/** Volumes and files that exist already and are mounted into the container. */

import type { PodPart } from "../common/pod.ts";
import { trustedCaFolder } from "./environment.ts";
import type { DevContainerPlan } from "./plan.ts";

/** Existing claims, mounted by their names. */
export function mountsPart(plan: DevContainerPlan): PodPart {
  return {
    volumes: plan.mounts.map(({ claimName }, index) => ({
      name: `mount-${index}`,
      persistentVolumeClaim: { claimName },
    })),
    mounts: plan.mounts.map(({ mountPath, readOnly }, index) => ({
      name: `mount-${index}`,
      mountPath,
      ...(readOnly ? { readOnly } : {}),
    })),
  };
}

// Readable by the user, who is in the pod's group, and by nobody else.
const groupReadable = 0o440;

/** Secrets as files: an environment variable would show in the pod's spec and in every process list. */
export function secretFilesPart(plan: DevContainerPlan): PodPart {
  return {
    volumes: plan.secretFiles.map(({ secretName }, index) => ({
      name: `secret-${index}`,
      secret: { secretName, defaultMode: groupReadable },
    })),
    mounts: plan.secretFiles.map(({ mountPath }, index) => ({
      name: `secret-${index}`,
      mountPath,
      readOnly: true,
    })),
  };
}

/** The company's certificate authorities; the environment points each tool at them. */
export function trustedCaPart(plan: DevContainerPlan): PodPart {
  if (plan.trustedCa === undefined) return {};
  return {
    volumes: [{ name: "ca-bundle", configMap: { name: plan.trustedCa.configMapName } }],
    mounts: [{ name: "ca-bundle", mountPath: trustedCaFolder, readOnly: true }],
  };
}
