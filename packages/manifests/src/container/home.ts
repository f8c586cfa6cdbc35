import type { Manifest } from "../common/manifest.ts";
import type { PodPart } from "../common/pod-part.ts";
import { volumeClaim } from "../common/volume-claim.ts";
import type { DevContainerPlan } from "./plan.ts";

export function homeClaim(plan: DevContainerPlan): Manifest {
  return volumeClaim(plan, plan.names.home, plan.home);
}

export function homePart(plan: DevContainerPlan): PodPart {
  return {
    volumes: [{ name: "home", persistentVolumeClaim: { claimName: plan.names.home } }],
    mounts: [{ name: "home", mountPath: plan.homePath }],
  };
}
