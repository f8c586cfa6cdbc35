import { internalName } from "../common/names.ts";
import { type Placed, text } from "../common/placed.ts";
import type { DevContainerPlan } from "./plan.ts";

/**
 * The address of the primary port: by the name that the gateway answers to, so a client goes there through the
 * gateway as its proxy (`curl --proxytunnel -x`), or by the name inside the cluster without a gateway.
 */
export function primaryUrl(plan: DevContainerPlan): Placed<string> | undefined {
  const primary = plan.ports.find(({ primary }) => primary);
  if (primary === undefined) return undefined;
  const host = plan.hostNames[0] ?? internalName(plan.names.workload, plan.namespace);
  return text`${primary.scheme}://${host}:${primary.port}`;
}
