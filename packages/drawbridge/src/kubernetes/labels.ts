import type { Input } from "../kit/input.ts";

/** The prefix of every label and annotation of ours. */
export const prefix = "drawbridge.dev";

/** Part of drawbridge that an object belongs to, such as `ssh-gateway`: its `app.kubernetes.io/component` label. */
export type Part = string;

/** The label that every object of one part carries, in whatever namespace. */
export const partLabel = (part: Part) => ({ "app.kubernetes.io/component": part });

/** The same as a selector in text. */
export const partSelector = (part: Part) => `app.kubernetes.io/component=${part}`;

/** Label of what the platform puts into a team's namespace; only the platform may change what carries it. */
export const ownedByPlatform = partLabel("team");

/** Labels that select the pods of one instance; they must never change during its life. */
export function selectorLabels<N extends Input<string>>(part: Part, instance: N): Record<string, string | N> {
  return { ...partLabel(part), "app.kubernetes.io/instance": instance };
}

/** The recommended labels for every object of one instance. */
export function objectLabels<N extends Input<string>>(part: Part, instance: N): Record<string, string | N> {
  return {
    ...selectorLabels(part, instance),
    "app.kubernetes.io/name": part,
    "app.kubernetes.io/managed-by": "drawbridge",
    "app.kubernetes.io/part-of": "drawbridge",
  };
}

/** The label that the API server puts on every namespace; NetworkPolicies select namespaces by it. */
export const namespaceNameLabel = "kubernetes.io/metadata.name";

/**
 * Marks a namespace that belongs to a team, whose deployer is trusted with nothing outside it. Its value is the
 * namespace's name. The admission policies judge what is written in such namespaces.
 */
export const teamLabel = `${prefix}/team`;

/** Marks another's pod that an sshd was put into; its value is the host's name. */
export const sshdLabel = `${prefix}/sshd`;

/** Annotation of a team's namespace: the private networks that its pods may reach, separated by commas. */
export const egressAllowAnnotation = `${prefix}/egress-allow`;

/**
 * Annotation of a team's namespace: the hosts of the internet that its containers may name, separated by commas. With it,
 * even an empty one, its pods reach no public address but by name.
 */
export const egressHostsAnnotation = `${prefix}/egress-hosts`;

/** Annotation of a team's quota: the most that the namespace's objects may take in etcd. */
export const etcdSizeAnnotation = `${prefix}/etcd-size`;

/** Levels of Pod Security that a namespace of ours may have. */
export type PodSecurity = "privileged" | "baseline" | "restricted";

/** A level of Pod Security in the cluster's own version of it, enforced and warned about. */
export function podSecurityLabels(level: PodSecurity): Record<string, string> {
  return { "pod-security.kubernetes.io/enforce": level, "pod-security.kubernetes.io/warn": level };
}
