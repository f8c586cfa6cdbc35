/** A team's namespace and what the platform puts into it. */
import {
  egressAllowAnnotation,
  objectLabels,
  outOfAmbient,
  type PodSecurity,
  partLabel,
  podSecurityLabels,
  teamLabel,
} from "../common/labels.ts";
import type { Manifest } from "../common/manifest.ts";
import { namespace } from "../common/own-namespace.ts";
import { isEmpty, type Placed, type PlacedList, whenListed } from "../common/placed.ts";

/** Label of what the platform puts into a team's namespace; only the platform may change what carries it. */
export const ownedByPlatform = partLabel("team");

/** Labels of a team's namespace: Pod Security, the mark, and no part in Istio's ambient data plane. */
export function teamNamespaceLabels(
  namespace: Placed<string>,
  level: PodSecurity = "restricted",
): Record<string, Placed<string>> {
  return {
    ...podSecurityLabels(level),
    ...outOfAmbient,
    [teamLabel]: namespace,
  };
}

/**
 * @param privateNetworks those that its pods may reach
 * @param level of Pod Security; below "restricted" only where policies hold pods in user namespaces (root-walls.ts)
 */
export function teamNamespace(
  name: Placed<string>,
  privateNetworks: PlacedList<string> = [],
  level: PodSecurity = "restricted",
): Manifest<"Namespace"> {
  const annotations = isEmpty(privateNetworks)
    ? undefined
    : { [egressAllowAnnotation]: whenListed(privateNetworks, (networks) => networks.join(",")) };
  return namespace(name, teamNamespaceLabels(name, level), annotations, level);
}

/** A pod that no other policy selects is reached by nobody and reaches nobody. */
export function teamDefaultDeny(namespace: Placed<string>): Manifest<"NetworkPolicy"> {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "drawbridge-default-deny", namespace, labels: objectLabels("team", namespace) },
    spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
  };
}
