import { compact, type Manifest } from "../common/manifest.ts";
import { podScheduling } from "../common/scheduling.ts";
import { lowPortSysctls, restrictedContainer, restrictedPod } from "../common/security.ts";
import type { StorageProxyPlan } from "./plan.ts";

// The user id that Istio's proxy image is made for.
const proxyUser = 1337;

/** The identity under which istiod hands the gateway its certificate and configuration. */
export function gatewayIdentity(plan: StorageProxyPlan): Manifest {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
  };
}

/** A gateway for files: Istio's injection fills in the container from its `gateway` template. */
export function storageGatewayDeployment(plan: StorageProxyPlan): Manifest {
  const inject = compact({ "sidecar.istio.io/inject": "true", "istio.io/rev": plan.istioRevision });
  const drain = `${plan.drainSeconds}s`;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: {
      replicas: plan.replicas,
      selector: { matchLabels: plan.selector },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: { ...plan.labels, ...inject },
          annotations: {
            "inject.istio.io/templates": "gateway",
            "proxy.istio.io/config": JSON.stringify({
              drainDuration: drain,
              terminationDrainDuration: drain,
            }),
          },
        },
        spec: {
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
      },
    },
  };
}
