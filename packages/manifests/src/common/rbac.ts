/** Rights, and whom they are given to. */
import type { Subject } from "./kinds.ts";
import type { Manifest, Metadata } from "./manifest.ts";
import type { Placed } from "./placed.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  resourceNames?: string[];
}

const apiVersion = `${rbacGroup}/v1` as const;

export function role(metadata: Metadata, rules: PolicyRule[]): Manifest<"Role"> {
  return { apiVersion, kind: "Role", metadata, rules };
}

/** Gives away the role that has the binding's own name. */
export function roleBinding(metadata: Metadata, subjects: Placed<Subject[]>): Manifest<"RoleBinding"> {
  return { apiVersion, kind: "RoleBinding", metadata, roleRef: roleRef("Role", metadata), subjects };
}

export function clusterRole(metadata: Metadata, rules: PolicyRule[]): Manifest<"ClusterRole"> {
  return { apiVersion, kind: "ClusterRole", metadata, rules };
}

/** The same across all namespaces. */
export function clusterRoleBinding(
  metadata: Metadata,
  subjects: Placed<Subject[]>,
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

export const serviceAccountSubject = (name: Placed<string>, namespace: Placed<string>) => ({
  kind: "ServiceAccount",
  name,
  namespace,
});

export const peopleSubjects = (users: readonly string[], groups: readonly string[]) => [
  ...users.map((name) => ({ apiGroup: rbacGroup, kind: "User", name })),
  ...groups.map((name) => ({ apiGroup: rbacGroup, kind: "Group", name })),
];
