import { compact } from "../common/manifest.ts";
import type { CertManagerPlan } from "./plan.ts";

/** What `@pulumi/kubernetes-cert-manager` is told, which makes a Helm release of it. */
export function certManagerRelease(plan: CertManagerPlan) {
  return {
    installCRDs: plan.installCrds,
    replicaCount: plan.replicas,
    helmOptions: compact({
      name: plan.name,
      namespace: plan.namespace,
      // The namespace is a resource of its own, whose labels say more than Helm could.
      createNamespace: false,
      version: plan.version,
      repositoryOpts: plan.repository === undefined ? undefined : { repo: plan.repository },
    }),
  };
}
