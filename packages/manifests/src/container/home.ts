import { volumeClaim } from "../common/data.ts";
import type { Manifest } from "../common/manifest.ts";
import type { Placed } from "../common/placed.ts";
import type { PodPart } from "../common/pod.ts";
import type { DevContainerPlan } from "./plan.ts";

export function homeClaim(plan: DevContainerPlan): Manifest<"PersistentVolumeClaim"> {
  return volumeClaim(plan, plan.names.home, plan.home);
}

/** The claim with the home: the container's own, or the one that is adopted. */
export function homeClaimName({ home, names }: DevContainerPlan): Placed<string> {
  return home.claimName ?? names.home;
}

export function homePart(plan: DevContainerPlan): PodPart {
  return {
    volumes: [{ name: "home", persistentVolumeClaim: { claimName: homeClaimName(plan) } }],
    mounts: [{ name: "home", mountPath: plan.homePath }],
  };
}
