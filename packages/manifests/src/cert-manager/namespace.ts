import type { Manifest } from "../common/manifest.ts";
import { namespace } from "../common/own-namespace.ts";
import type { CertManagerPlan } from "./plan.ts";

/** cert-manager's own namespace. Its chart's pods ask for nothing that Pod Security "restricted" refuses. */
export function certManagerNamespace(plan: CertManagerPlan): Manifest<"Namespace"> {
  return namespace(plan.namespace, plan.labels);
}
