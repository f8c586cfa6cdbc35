import { withoutSidecar } from "../istio/data-plane.ts";
import { drainGrace, envoyProxy, envoyUser } from "../kubernetes/envoy.ts";
import type { Container } from "../kubernetes/kinds.ts";
import { prefix } from "../kubernetes/labels.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { podScheduling } from "../kubernetes/scheduling.ts";
import { groupReadable, lowPorts, restrictedPod } from "../kubernetes/security.ts";
import { deployment } from "../kubernetes/workload.ts";
import { healthPort } from "./args.ts";
import type { StorageProxyPlan } from "./plan.ts";
import { configFolder, routerHash, tlsFolder } from "./router-config.ts";

export function routerDeployment(plan: StorageProxyPlan): Manifest<"Deployment"> {
  return deployment({
    ...plan,
    // It dials the storages itself; a mesh's sidecar would only stand in between.
    podLabels: { ...withoutSidecar, ...plan.podLabels },
    podAnnotations: { [`${prefix}/config`]: routerHash(plan), ...plan.podAnnotations },
    pod: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: drainGrace(plan.drainSeconds),
      // The names asked for are complete; without this the resolver tries the pod's search list first.
      dnsConfig: { options: [{ name: "ndots", value: "1" }] },
      securityContext: { ...restrictedPod(envoyUser, envoyUser), ...lowPorts([plan.port]) },
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

const container = (plan: StorageProxyPlan): Container =>
  envoyProxy({
    ...plan,
    folder: configFolder,
    healthPort,
    port: { name: plan.scheme, containerPort: plan.port },
    mounts: plan.tls === undefined ? [] : [{ name: "tls", mountPath: tlsFolder, readOnly: true }],
  });
