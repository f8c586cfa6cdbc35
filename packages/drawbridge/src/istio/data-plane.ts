/** What keeps pods that are no proxies out of the mesh: a proxy in the way would end long sessions. */

import type { RaiseFault } from "../kit/schema.ts";
import type { PodParsed } from "../kubernetes/args.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { namespace, type Owner } from "../kubernetes/own-namespace.ts";
import { isOwnKey } from "../kubernetes/patch.ts";

/** On a pod: without a sidecar. */
export const withoutSidecar = { "sidecar.istio.io/inject": "false" } as const;

/**
 * Keeps a namespace's pods out of Istio's ambient data plane, which resets long connections at its own upgrades. On the
 * namespace and not on the pods, because a label of theirs would restart those that run.
 */
export const outOfAmbient = { "istio.io/dataplane-mode": "none" } as const;

/** The namespace of a component whose programs run in one of their own. */
export function namespaceManifest(owner: Owner): Manifest<"Namespace"> {
  return namespace(owner.namespace, { ...owner.labels, ...outOfAmbient });
}

// Keys by which Istio decides what it does to a pod: these are the component's.
const istioKey = /(^|[./])istio\.io\//;
const ownAnnotations = [
  "kubectl.kubernetes.io/default-container",
  "cluster-autoscaler.kubernetes.io/safe-to-evict",
  "karpenter.sh/do-not-disrupt",
];

export function checkPodMetadata(pod: Partial<PodParsed> | undefined, fault: RaiseFault): void {
  for (const field of ["labels", "annotations"] as const) {
    for (const key of Object.keys(pod?.[field] ?? {})) {
      if (isOwnKey(key) || istioKey.test(key) || ownAnnotations.includes(key)) {
        fault`pod.${field}.${key}: is set by drawbridge; choose another key`;
      }
    }
  }
}

/** The label of a namespace by which Istio puts sidecars into its pods: the only one of Istio's without a domain. */
export const injectionLabel = "istio-injection";
