import type { Manifest } from "../common/manifest.ts";
import { volumeClaim } from "../common/volume-claim.ts";
import type { StoragePlan } from "./plan.ts";

export function storageClaim(plan: StoragePlan): Manifest<"PersistentVolumeClaim"> {
  return volumeClaim(plan, plan.names.claim, plan);
}
