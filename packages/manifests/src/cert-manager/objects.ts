import { declared } from "../common/objects.ts";
import { namespace } from "../common/own-namespace.ts";
import type { CertManagerPlan } from "./plan.ts";

/** What is made beside the release. */
export const certManagerObjects = (plan: CertManagerPlan) => ({
  // The chart's pods ask for nothing that Pod Security "restricted" refuses.
  namespace: plan.createNamespace && declared(namespace(plan.namespace, plan.labels)),
});
