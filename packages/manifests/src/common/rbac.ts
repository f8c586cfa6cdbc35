/** Rights, and whom they are given to. */
import { compact, type Manifest, type Metadata } from "./manifest.ts";
import type { Placed } from "./placed.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[] | undefined;
}

/** A Role; without a namespace, a ClusterRole. */
export function role(metadata: Metadata, rules: readonly PolicyRule[]): Manifest {
  return { apiVersion: `${rbacGroup}/v1`, kind: roleKind(metadata), metadata, rules: rules.map(compact) };
}

/** Gives away the role that has the binding's own name. */
export function roleBinding(metadata: Metadata, subjects: Placed<readonly object[]>): Manifest {
  const kind = roleKind(metadata);
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: rbacGroup, kind, name: metadata.name },
    subjects,
  };
}

const roleKind = ({ namespace }: Metadata) => (namespace === undefined ? "ClusterRole" : "Role");

export const serviceAccountSubject = (name: Placed<string>, namespace: Placed<string>) => ({
  kind: "ServiceAccount",
  name,
  namespace,
});

export const peopleSubjects = (users: readonly string[], groups: readonly string[]) => [
  ...users.map((name) => ({ apiGroup: rbacGroup, kind: "User", name })),
  ...groups.map((name) => ({ apiGroup: rbacGroup, kind: "Group", name })),
];
