import { compact, type Manifest } from "../common/manifest.ts";
import { podScheduling } from "../common/scheduling.ts";
import { lowPortSysctls, restrictedContainer } from "../common/security.ts";
import type { SshGatewayPlan } from "./plan.ts";

// The user id that Istio's proxy image is made for.
const proxyUser = 1337;

/** The gateway's proxy: Istio's injection fills in the container from its `gateway` template. */
export function gatewayDeployment(plan: SshGatewayPlan): Manifest {
  const inject = compact({ "sidecar.istio.io/inject": "true", "istio.io/rev": plan.istioRevision });
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: plan.name, namespace: plan.namespace, labels: plan.labels },
    spec: compact({
      replicas: plan.replicas,
      selector: { matchLabels: plan.selector },
      // A new pod is ready before an old one begins to drain.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: { ...plan.labels, ...inject },
          annotations: {
            "inject.istio.io/templates": "gateway",
            "proxy.istio.io/config": proxyConfig(plan),
            "prometheus.io/scrape": "true",
            "prometheus.io/port": "15020",
            "prometheus.io/path": "/stats/prometheus",
          },
        },
        spec: {
          serviceAccountName: plan.name,
          terminationGracePeriodSeconds: plan.terminationGraceSeconds,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: proxyUser,
            runAsGroup: proxyUser,
            seccompProfile: { type: "RuntimeDefault" },
            sysctls: lowPortSysctls(plan.listeners.map((listener) => listener.port)),
          },
          ...podScheduling(plan.scheduling, { selector: plan.selector, apart: true }),
          containers: [
            {
              name: "istio-proxy",
              image: plan.image,
              imagePullPolicy: plan.imagePullPolicy,
              env: proxyEnvironment,
              ports: plan.listeners.map((listener) => ({
                name: listener.name,
                containerPort: listener.port,
                protocol: "TCP",
              })),
              resources: plan.resources,
              securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
            },
          ],
        },
      },
    }),
  };
}

const proxyEnvironment = [
  // The nc of macOS and OpenBSD speaks HTTP/1.0 to a proxy; without this Envoy answers 426.
  { name: "ISTIO_META_HTTP10", value: "1" },
  // A stopping pod waits until its last session has ended, up to its grace period.
  { name: "EXIT_ON_ZERO_ACTIVE_CONNECTIONS", value: "true" },
];

/**
 * Istio's defaults (45 s of drain, 5 s at termination) would cut sessions whenever a listener changes or a
 * pod stops.
 */
function proxyConfig(plan: SshGatewayPlan): string {
  return JSON.stringify({
    drainDuration: `${plan.drainSeconds}s`,
    terminationDrainDuration: `${plan.drainSeconds}s`,
    // Containers' `allowIdentities` trust this header, so no mesh-wide setting may let clients write it.
    gatewayTopology: { forwardClientCertDetails: "SANITIZE_SET" },
  });
}
