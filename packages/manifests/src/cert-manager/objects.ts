import { declared } from "../common/objects.ts";
import { certManagerNamespace } from "./namespace.ts";
import type { CertManagerPlan } from "./plan.ts";

/** What is made beside the release. */
export const certManagerObjects = (plan: CertManagerPlan) => ({
  namespace: plan.createNamespace && declared(certManagerNamespace(plan)),
});
