import { ifAny, type Manifest } from "../common/manifest.ts";
import { serviceAccount } from "../common/own-namespace.ts";
import type { Placed } from "../common/placed.ts";
import type { DevContainerPlan } from "./plan.ts";

/** The account that the pod runs as; undefined for the namespace's default one. */
export function serviceAccountName({ serviceAccount, names }: DevContainerPlan): Placed<string> | undefined {
  return serviceAccount.name ?? (serviceAccount.create ? names.workload : undefined);
}

/** An account without rights of its own; by its annotations a cloud knows whom it stands for. */
export function containerServiceAccount(plan: DevContainerPlan): Manifest<"ServiceAccount"> | undefined {
  const { create, annotations } = plan.serviceAccount;
  if (!create) return undefined;
  return serviceAccount(serviceAccountName(plan) ?? plan.names.workload, plan, {
    token: false,
    annotations: ifAny(annotations),
  });
}
