/** A team's namespace and what the platform puts into it. */

import { outOfAmbient } from "../istio/data-plane.ts";
import { type Input, type InputList, isEmpty, whenListed } from "../kit/input.ts";
import {
  egressAllowAnnotation,
  egressHostsAnnotation,
  objectLabels,
  type PodSecurity,
  teamLabel,
} from "../kubernetes/labels.ts";
import { compact, ifAny, type Manifest } from "../kubernetes/manifest.ts";
import { namespace } from "../kubernetes/own-namespace.ts";

/**
 * With Pod Security, the mark of a team's, and no part in Istio's ambient data plane.
 * @param allowedPrivateNetworks those that its pods may reach
 * @param allowedHosts hosts of the internet that they may name; undefined for the whole internet
 * @param level of Pod Security; below "restricted" only where policies hold pods in user namespaces (root-policies.ts)
 */
export function teamNamespace(
  name: Input<string>,
  allowedPrivateNetworks: InputList<string> = [],
  level: PodSecurity = "restricted",
  allowedHosts?: InputList<string>,
): Manifest<"Namespace"> {
  const listed = (list: InputList<string>) => whenListed(list, (items) => items.join(","));
  const annotations = ifAny(
    compact({
      [egressAllowAnnotation]: isEmpty(allowedPrivateNetworks) ? undefined : listed(allowedPrivateNetworks),
      [egressHostsAnnotation]: allowedHosts === undefined ? undefined : listed(allowedHosts),
    }),
  );
  return namespace(name, { ...outOfAmbient, [teamLabel]: name }, annotations, level);
}

/** A pod that no other policy selects is reached by nobody and reaches nobody. */
export function teamDefaultDeny(namespace: Input<string>): Manifest<"NetworkPolicy"> {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "drawbridge-default-deny", namespace, labels: objectLabels("team", namespace) },
    spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
  };
}
