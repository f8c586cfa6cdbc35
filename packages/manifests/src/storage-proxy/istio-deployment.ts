import { deployment } from "../common/deployment.ts";
import { compact, type Manifest } from "../common/manifest.ts";
import { podScheduling } from "../common/scheduling.ts";
import { lowPortSysctls, restrictedContainer, restrictedPod } from "../common/security.ts";
import type { StorageProxyPlan } from "./plan.ts";

// The user id that Istio's proxy image is made for.
const proxyUser = 1337;

/** A gateway for files: Istio's injection fills in the container from its `gateway` template. */
export function storageGatewayDeployment(plan: StorageProxyPlan): Manifest {
  const inject = compact({ "sidecar.istio.io/inject": "true", "istio.io/rev": plan.istioRevision });
  const drain = `${plan.drainSeconds}s`;
  return deployment({
    ...plan,
    podLabels: { ...inject, ...plan.podLabels },
    podAnnotations: {
      "inject.istio.io/templates": "gateway",
      "proxy.istio.io/config": JSON.stringify({ drainDuration: drain, terminationDrainDuration: drain }),
      ...plan.podAnnotations,
    },
    pod: {
      serviceAccountName: plan.name,
      terminationGracePeriodSeconds: plan.drainSeconds + 10,
      securityContext: {
        ...restrictedPod(proxyUser, proxyUser),
        sysctls: lowPortSysctls([plan.port]),
      },
      ...podScheduling(plan.scheduling, { selector: plan.selector }),
      containers: [
        {
          name: "istio-proxy",
          image: plan.image,
          imagePullPolicy: plan.imagePullPolicy,
          // A stopping pod waits until its last download has ended, up to its grace period.
          env: [{ name: "EXIT_ON_ZERO_ACTIVE_CONNECTIONS", value: "true" }],
          ports: [{ name: plan.scheme, containerPort: plan.port, protocol: "TCP" }],
          resources: plan.resources,
          securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
        },
      ],
    },
  });
}
