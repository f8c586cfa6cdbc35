import { disruptionBudget } from "../common/disruption-budget.ts";
import type { Manifest } from "../common/manifest.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** Voluntary disruptions take one proxy pod at a time, each after its drain window. */
export function proxyDisruptionBudget(plan: StorageProxyPlan): Manifest<"PodDisruptionBudget"> {
  return disruptionBudget({ ...plan, maxUnavailable: 1 });
}
