/** Rights, and whom they are given to. */

import { type Input, type InputList, isEmpty, joinedLists, whenKnown } from "../kit/input.ts";
import type { Subject } from "./kinds.ts";
import type { Manifest, Metadata } from "./manifest.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  resourceNames?: Input<string>[];
}

const apiVersion = `${rbacGroup}/v1` as const;

export function role(metadata: Metadata, rules: PolicyRule[]): Manifest<"Role"> {
  return { apiVersion, kind: "Role", metadata, rules };
}

/** Gives away the role that has the binding's own name. */
export function roleBinding(metadata: Metadata, subjects: InputList<Subject>): Manifest<"RoleBinding"> {
  return {
    apiVersion,
    kind: "RoleBinding",
    metadata,
    roleRef: roleRef("Role", metadata),
    // An empty list is none to the cluster, and for ever a difference to Pulumi.
    ...(isEmpty(subjects) ? {} : { subjects: subjects as Input<Subject[]> }),
  };
}

export function clusterRole(metadata: Metadata, rules: PolicyRule[]): Manifest<"ClusterRole"> {
  return { apiVersion, kind: "ClusterRole", metadata, rules };
}

/** The same across all namespaces. */
export function clusterRoleBinding(
  metadata: Metadata,
  subjects: Input<Subject[]>,
): Manifest<"ClusterRoleBinding"> {
  return {
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata,
    roleRef: roleRef("ClusterRole", metadata),
    subjects,
  };
}

const roleRef = (kind: string, { name }: Metadata) => ({ apiGroup: rbacGroup, kind, name });

export const serviceAccountSubject = (name: Input<string>, namespace: Input<string>) => ({
  kind: "ServiceAccount",
  name,
  namespace,
});

export function peopleSubjects(users: InputList<string>, groups: InputList<string>): InputList<Subject> {
  const all = (kind: string, names: InputList<string>): InputList<Subject> =>
    whenKnown(names, (known) => known.map((name) => ({ apiGroup: rbacGroup, kind, name })));
  return joinedLists(all("User", users), all("Group", groups));
}
