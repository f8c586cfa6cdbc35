/** A gateway's pod, as Istio wants it: its injection fills in the container from the template `gateway`. */

import { type Input, whenKnown } from "../kit/input.ts";
import { compact } from "../kubernetes/manifest.ts";
import { podsOf } from "../kubernetes/network-policy.ts";
import type { PodResources } from "../kubernetes/resources.ts";
import { podScheduling, type SchedulingParsed } from "../kubernetes/scheduling.ts";
import { lowPorts, restrictedContainer } from "../kubernetes/security.ts";
import type { DeploymentParts } from "../kubernetes/workload.ts";

/** The user id that Istio's proxy image is made for. */
const proxyUser = 1337;

/** Where istiod gives proxies their configuration and certificates. */
export const xdsPort = 15012;
export const istiodPods = podsOf("istio-system", { app: "istiod" });

interface ProxyPlan {
  readonly name: string;
  readonly image: Input<string>;
  readonly imagePullPolicy?: Input<string> | undefined;
  readonly istioRevision?: Input<string> | undefined;
  readonly resources: PodResources;
  readonly podLabels: Readonly<Record<string, Input<string>>>;
  readonly podAnnotations: Readonly<Record<string, Input<string>>>;
  readonly selector: Readonly<Record<string, Input<string>>>;
  readonly scheduling: SchedulingParsed;
  readonly drainSeconds: Input<number>;
  readonly terminationGracePeriodSeconds: Input<number>;
  readonly listeners: readonly { readonly name: string; readonly port: Input<number> }[];
}

/** What a Deployment needs for proxies. */
export function proxyPod(plan: ProxyPlan): Pick<DeploymentParts, "podLabels" | "podAnnotations" | "pod"> {
  return {
    podLabels: compact({
      "sidecar.istio.io/inject": "true",
      "istio.io/rev": plan.istioRevision,
      ...plan.podLabels,
    }),
    podAnnotations: {
      "inject.istio.io/templates": "gateway",
      "proxy.istio.io/config": whenKnown(plan.drainSeconds, (seconds) =>
        JSON.stringify({ ...drain(seconds), ...ownHeader }),
      ),
      ...metrics,
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
        ...lowPorts(plan.listeners.map(({ port }) => port)),
      },
      ...podScheduling(plan.scheduling, { selector: plan.selector, apart: true }),
      containers: [
        {
          name: "istio-proxy",
          image: plan.image,
          imagePullPolicy: plan.imagePullPolicy,
          env: [
            http10,
            // A stopping pod waits until its last session has ended, up to its grace period.
            { name: "EXIT_ON_ZERO_ACTIVE_CONNECTIONS", value: "true" },
          ],
          ports: plan.listeners.map(({ name, port }) => ({ name, containerPort: port, protocol: "TCP" })),
          resources: plan.resources,
          securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
        },
      ],
    },
  };
}

/**
 * Istio's defaults (45 s of drain, 5 s at termination) would cut sessions whenever a listener changes or a
 * pod stops. From 1.40 on Envoy ends tunnels all through the last third of its drain time; sessions are promised the
 * two thirds before.
 */
const drain = (drainSeconds: number) => ({
  drainDuration: `${Math.ceil(drainSeconds * 1.5)}s`,
  terminationDrainDuration: `${drainSeconds}s`,
});

// Containers' `allowIdentities` trust this header, so no mesh-wide setting may let clients write it.
const ownHeader = { gatewayTopology: { forwardClientCertDetails: "SANITIZE_SET" } };

// The nc of macOS and OpenBSD speaks HTTP/1.0 to a proxy; without this Envoy answers 426.
const http10 = { name: "ISTIO_META_HTTP10", value: "1" };

const metrics = {
  "prometheus.io/scrape": "true",
  "prometheus.io/port": "15020",
  "prometheus.io/path": "/stats/prometheus",
};
