import { disruptionBudget } from "../common/disruption-budget.ts";
import type { Manifest } from "../common/manifest.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** Voluntary disruptions take one gateway pod at a time, each after its drain window. */
export function gatewayDisruptionBudget(plan: SshGatewayPlan): Manifest<"PodDisruptionBudget"> {
  return disruptionBudget({ ...plan, maxUnavailable: 1 });
}
