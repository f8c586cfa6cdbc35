import { withoutSidecar } from "../istio/data-plane.ts";
import { whenKnown } from "../kit/input.ts";
import type { Container } from "../kubernetes/kinds.ts";
import { prefix } from "../kubernetes/labels.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { podScheduling } from "../kubernetes/scheduling.ts";
import { groupReadable, lowPorts, restrictedContainer, restrictedPod } from "../kubernetes/security.ts";
import { deployment } from "../kubernetes/workload.ts";
import { healthPort } from "./args.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { configFolder, routerHash, tlsFolder } from "./router-config.ts";

// Any id but root's will do; Envoy writes no file.
const proxyUser = 1337;

export function routerDeployment(plan: StorageProxyPlan): Manifest<"Deployment"> {
  return deployment({
    ...plan,
    // It dials the storages itself; a mesh's sidecar would only stand in between.
    podLabels: { ...withoutSidecar, ...plan.podLabels },
    podAnnotations: { [`${prefix}/config`]: routerHash(plan), ...plan.podAnnotations },
    pod: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // The drain, and time to end after it.
      terminationGracePeriodSeconds: whenKnown(plan.drainSeconds, (seconds) => seconds + 10),
      // The names asked for are complete; without this the resolver tries the pod's search list first.
      dnsConfig: { options: [{ name: "ndots", value: "1" }] },
      securityContext: { ...restrictedPod(proxyUser, proxyUser), ...lowPorts([plan.port]) },
      ...podScheduling(plan.scheduling, { selector: plan.selector, apart: true }),
      containers: [container(plan)],
      volumes: [
        { name: "config", configMap: { name: plan.name } },
        ...(plan.tls === undefined
          ? []
          : [{ name: "tls", secret: { secretName: plan.tls.secretName, defaultMode: groupReadable } }]),
      ],
    },
  });
}

function container(plan: StorageProxyPlan): Container {
  return {
    name: "proxy",
    image: plan.image,
    imagePullPolicy: plan.imagePullPolicy,
    command: ["/usr/local/bin/envoy"],
    args: ["--config-path", `${configFolder}/envoy.json`, "--disable-hot-restart", "--concurrency", "2"],
    ports: [
      { name: plan.scheme, containerPort: plan.port, protocol: "TCP" },
      { name: "health", containerPort: healthPort, protocol: "TCP" },
    ],
    readinessProbe: { httpGet: { path: "/ready", port: healthPort }, periodSeconds: 5, failureThreshold: 3 },
    // Envoy ends at once when told to. The pod leaves the LoadBalancer first, then downloads have this long.
    lifecycle: { preStop: { sleep: { seconds: plan.drainSeconds } } },
    resources: plan.resources,
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
    volumeMounts: [
      { name: "config", mountPath: configFolder, readOnly: true },
      ...(plan.tls === undefined ? [] : [{ name: "tls", mountPath: tlsFolder, readOnly: true }]),
    ],
  };
}
