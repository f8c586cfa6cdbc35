/** What the API server holds the pods of a namespace to in which root is allowed inside. */
import type { AdmissionPolicy, PolicyOwner } from "../common/admission.ts";
import { objectLabels, type PodSecurity } from "../common/labels.ts";
import type { RootParsed } from "./args.ts";
import { podsPolicy, servicesPolicy } from "./root-pods-policy.ts";

type Args = RootParsed & { readonly namespace: string };

export function rootPolicies(args: Args): AdmissionPolicy[] {
  return [podsPolicy(args), servicesPolicy(args.namespace)];
}

/** The lowest level at which the pods are taken that these policies allow: "baseline" refuses the capabilities of an engine. */
export function rootPodSecurity({ containersInside }: Pick<Args, "containersInside">): PodSecurity {
  return containersInside ? "privileged" : "baseline";
}

/** They belong to no namespace, so the namespace's name keeps those of two apart. */
export function rootPolicyOwner({ namespace }: Pick<Args, "namespace">): PolicyOwner {
  return { name: "root", namespace, labels: objectLabels("team", namespace) };
}
