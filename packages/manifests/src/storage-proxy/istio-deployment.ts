import { deployment } from "../common/deployment.ts";
import { injectionLabels, injectionTemplate, proxyContainer, proxyUser } from "../common/istio-proxy.ts";
import type { Manifest } from "../common/manifest.ts";
import { podScheduling } from "../common/scheduling.ts";
import { lowPorts, restrictedPod } from "../common/security.ts";
import type { StorageProxyPlan } from "./plan.ts";

/** A gateway for files. */
export function storageGatewayDeployment(plan: StorageProxyPlan): Manifest<"Deployment"> {
  const drain = `${plan.drainSeconds}s`;
  return deployment({
    ...plan,
    podLabels: { ...injectionLabels(plan.istioRevision), ...plan.podLabels },
    podAnnotations: {
      ...injectionTemplate,
      "proxy.istio.io/config": JSON.stringify({ drainDuration: drain, terminationDrainDuration: drain }),
      ...plan.podAnnotations,
    },
    pod: {
      serviceAccountName: plan.name,
      terminationGracePeriodSeconds: plan.drainSeconds + 10,
      securityContext: {
        ...restrictedPod(proxyUser, proxyUser),
        ...lowPorts([plan.port]),
      },
      ...podScheduling(plan.scheduling, { selector: plan.selector }),
      containers: [proxyContainer(plan, [{ name: plan.scheme, port: plan.port }])],
    },
  });
}
