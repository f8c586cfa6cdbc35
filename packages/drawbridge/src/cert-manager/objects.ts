import { compact } from "../kubernetes/manifest.ts";
import { declared } from "../kubernetes/objects.ts";
import { namespace } from "../kubernetes/own-namespace.ts";
import type { CertManagerPlan } from "./args.ts";

/** What is made beside the release. */
export const certManagerObjects = (plan: CertManagerPlan) => ({
  // The chart's pods ask for nothing that Pod Security "restricted" refuses.
  namespace: plan.createNamespace && declared(namespace(plan.namespace, plan.labels)),
});

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
      ...chartSource(plan.repository),
    }),
  };
}

/** An OCI registry has no index to look a chart up in: there the chart's own address is its name. */
function chartSource(repository: string | undefined) {
  if (repository === undefined) return {};
  if (!repository.startsWith("oci://")) return { repositoryOpts: { repo: repository } };
  return { chart: `${repository.replace(/\/+$/, "")}/cert-manager` };
}
