/** A gateway's pod, as Istio's injection wants it: it fills in the container from its `gateway` template. */
import { compact } from "./manifest.ts";
import type { Placed } from "./placed.ts";
import type { PodResources } from "./resources.ts";
import { restrictedContainer } from "./security.ts";

// The user id that Istio's proxy image is made for.
export const proxyUser = 1337;

interface ProxyListener {
  readonly name: string;
  readonly port: number;
}

/** What asks Istio for the proxy, on the pod. */
export const injectionLabels = (istioRevision: Placed<string> | undefined) =>
  compact({ "sidecar.istio.io/inject": "true", "istio.io/rev": istioRevision });

export const injectionTemplate = { "inject.istio.io/templates": "gateway" } as const;

/** The container that the injection completes. */
export function proxyContainer(
  plan: {
    readonly image: Placed<string>;
    readonly imagePullPolicy?: string | undefined;
    readonly resources: PodResources;
  },
  listeners: readonly ProxyListener[],
  environment: readonly { readonly name: string; readonly value: string }[] = [],
) {
  return {
    name: "istio-proxy",
    image: plan.image,
    imagePullPolicy: plan.imagePullPolicy,
    env: [
      ...environment,
      // A stopping pod waits until its last session or download has ended, up to its grace period.
      { name: "EXIT_ON_ZERO_ACTIVE_CONNECTIONS", value: "true" },
    ],
    ports: listeners.map(({ name, port }) => ({ name, containerPort: port, protocol: "TCP" })),
    resources: plan.resources,
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
  };
}
