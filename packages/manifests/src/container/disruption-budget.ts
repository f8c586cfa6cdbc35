import type { Manifest } from "../common/manifest.ts";
import { disruptionBudget } from "../common/workload.ts";
import type { DevContainerPlan } from "./plan.ts";

/** Under `never` the eviction API answers 429, so a node drain waits for a human. */
export function containerDisruptionBudget(plan: DevContainerPlan): Manifest<"PodDisruptionBudget"> {
  return disruptionBudget({ ...plan, name: plan.names.workload }, plan.eviction === "never" ? 0 : 1);
}
