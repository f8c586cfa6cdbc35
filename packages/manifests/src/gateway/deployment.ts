import { deployment } from "../common/deployment.ts";
import { injectionLabels, injectionTemplate, proxyContainer, proxyUser } from "../common/istio-proxy.ts";
import type { Manifest } from "../common/manifest.ts";
import { podScheduling } from "../common/scheduling.ts";
import { lowPorts } from "../common/security.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** The gateway's proxy. */
export function gatewayDeployment(plan: SshGatewayPlan): Manifest<"Deployment"> {
  return deployment({
    ...plan,
    podLabels: { ...injectionLabels(plan.istioRevision), ...plan.podLabels },
    podAnnotations: {
      ...injectionTemplate,
      "proxy.istio.io/config": proxyConfig(plan),
      "prometheus.io/scrape": "true",
      "prometheus.io/port": "15020",
      "prometheus.io/path": "/stats/prometheus",
      ...plan.podAnnotations,
    },
    pod: {
      serviceAccountName: plan.name,
      terminationGracePeriodSeconds: plan.terminationGracePeriodSeconds,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: proxyUser,
        runAsGroup: proxyUser,
        seccompProfile: { type: "RuntimeDefault" },
        ...lowPorts(plan.listeners.map((listener) => listener.port)),
      },
      ...podScheduling(plan.scheduling, { selector: plan.selector, apart: true }),
      containers: [proxyContainer(plan, plan.listeners, [http10])],
    },
  });
}

// The nc of macOS and OpenBSD speaks HTTP/1.0 to a proxy; without this Envoy answers 426.
const http10 = { name: "ISTIO_META_HTTP10", value: "1" };

/**
 * Istio's defaults (45 s of drain, 5 s at termination) would cut sessions whenever a listener changes or a
 * pod stops. From 1.40 on Envoy ends tunnels all through the last third of its drain time; sessions are promised the
 * two thirds before.
 */
function proxyConfig(plan: SshGatewayPlan): string {
  return JSON.stringify({
    drainDuration: `${Math.ceil(plan.drainSeconds * 1.5)}s`,
    terminationDrainDuration: `${plan.drainSeconds}s`,
    // Containers' `allowIdentities` trust this header, so no mesh-wide setting may let clients write it.
    gatewayTopology: { forwardClientCertDetails: "SANITIZE_SET" },
  });
}
