import { egressPorts } from "../host/egress/contract.ts";
import { withoutSidecar } from "../istio/data-plane.ts";
import { hashOf } from "../kit/crypto.ts";
import { text } from "../kit/input.ts";
import { drainGrace, envoyProxy, envoyUser } from "../kubernetes/envoy.ts";
import type { Container } from "../kubernetes/kinds.ts";
import { prefix } from "../kubernetes/labels.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { apiAccess } from "../kubernetes/pod.ts";
import { podScheduling } from "../kubernetes/scheduling.ts";
import { restrictedContainer, restrictedPod } from "../kubernetes/security.ts";
import { deployment } from "../kubernetes/workload.ts";
import type { EgressGatewayPlan } from "./plan.ts";
import { healthPort, proxyConfig, socketFolder, socketPath } from "./proxy-config.ts";

const configFolder = "/etc/drawbridge/egress";

export function egressDeployment(plan: EgressGatewayPlan): Manifest<"Deployment"> {
  return deployment({
    ...plan,
    podLabels: { ...withoutSidecar, ...plan.podLabels },
    podAnnotations: { [`${prefix}/config`]: hashOf(proxyConfig), ...plan.podAnnotations },
    pod: {
      serviceAccountName: plan.name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: drainGrace(plan.drainSeconds),
      // One user for both containers: the socket between them is open to it alone.
      securityContext: restrictedPod(envoyUser, envoyUser),
      ...podScheduling(plan.scheduling, { selector: plan.selector, apart: true }),
      initContainers: [authorizer(plan)],
      containers: [proxy(plan)],
      volumes: [
        { name: "config", configMap: { name: plan.name } },
        { name: "socket", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
        apiAccess.volume,
      ],
    },
  });
}

/** Restartable and first, so that the proxy never runs without someone to ask. */
function authorizer(plan: EgressGatewayPlan): Container {
  const health = { httpGet: { path: "/healthz", port: egressPorts.authorizerMetrics } };
  // The API server is the one thing that the gateway reaches and containers must not.
  const denied = [...plan.egress.deny, ...plan.egress.apiServer.map(({ cidr }) => cidr)];
  return {
    name: "authorizer",
    image: plan.authorizer.image,
    imagePullPolicy: plan.imagePullPolicy,
    restartPolicy: "Always",
    args: [
      "egress",
      `--socket=${socketPath}`,
      `--api-access=${apiAccess.mount.mountPath}`,
      `--metrics-port=${egressPorts.authorizerMetrics}`,
      text`--tunnels-per-container=${plan.tunnelsPerContainer}`,
      ...denied.map((cidr) => text`--deny=${cidr}`),
      ...plan.resolvers.map((address) => text`--resolver=${address}`),
    ],
    // Of what a flood leaves behind, a fourth less stays in memory.
    env: [{ name: "NODE_OPTIONS", value: "--max-semi-space-size=1" }],
    ports: [{ name: "metrics", containerPort: egressPorts.authorizerMetrics, protocol: "TCP" }],
    startupProbe: { ...health, periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: { ...health, periodSeconds: 5, failureThreshold: 3, timeoutSeconds: 5 },
    livenessProbe: { ...health, periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 5 },
    resources: plan.authorizer.resources,
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
    volumeMounts: [{ name: "socket", mountPath: socketFolder }, apiAccess.mount],
  };
}

const proxy = (plan: EgressGatewayPlan): Container =>
  envoyProxy({
    ...plan,
    folder: configFolder,
    healthPort,
    port: { name: "proxy", containerPort: egressPorts.proxy },
    mounts: [{ name: "socket", mountPath: socketFolder }],
  });
