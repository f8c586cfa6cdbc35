/** The rights with which a team's stack is brought up, and no more: the kinds that it holds, in its own namespace. */

import { sshpodRules } from "../host/ways/sshpod-role.ts";
import { routeKind } from "../istio/team-policies.ts";
import { type Input, joinedLists } from "../kit/input.ts";
import { objectLabels } from "../kubernetes/labels.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import {
  type PolicyRule,
  peopleSubjects,
  rbacGroup,
  role,
  roleBinding,
  serviceAccountSubject,
} from "../kubernetes/rbac.ts";
import type { DeployersParsed } from "./args.ts";

const name = "drawbridge-deployer";

const write = ["get", "list", "watch", "create", "update", "patch", "delete"];
const read = ["get", "list", "watch"];

/**
 * What a deployer may not do is the point: no status, no endpoints or slices, no tokens of service accounts, no quota,
 * nothing of Istio's but routes.
 */
export const deployerRules: PolicyRule[] = [
  // What containers and storages are made of.
  {
    apiGroups: [""],
    resources: ["configmaps", "secrets", "services", "persistentvolumeclaims"],
    verbs: write,
  },
  { apiGroups: ["apps"], resources: ["statefulsets", "deployments"], verbs: write },
  { apiGroups: ["batch"], resources: ["cronjobs", "jobs"], verbs: write },
  { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: write },
  { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: write },
  { ...routeKind, verbs: write },
  // Members and frp's authorizer: the API server lets nobody hand on a right that he has not got.
  { apiGroups: [rbacGroup], resources: ["roles", "rolebindings"], verbs: write },
  { apiGroups: [rbacGroup], resources: ["clusterroles"], resourceNames: ["view"], verbs: ["bind"] },
  ...sshpodRules({ exec: true }),
  // What `pulumi up` waits for and tells of.
  { apiGroups: [""], resources: ["pods", "pods/log", "events", "endpoints"], verbs: read },
  { apiGroups: ["apps"], resources: ["replicasets", "controllerrevisions"], verbs: read },
  { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: read },
];

/** Less than the whole StatefulSet, to be handed on to the culler and the activator. */
const scaleRule: PolicyRule = {
  apiGroups: ["apps"],
  resources: ["statefulsets/scale"],
  verbs: ["get", "patch"],
};

const metadata = (namespace: Input<string>) => ({
  name,
  namespace,
  labels: objectLabels("team", namespace),
});

/** @param sleeps whether containers there may sleep */
export function deployerRole(namespace: Input<string>, sleeps = false): Manifest<"Role"> {
  return role(metadata(namespace), sleeps ? [...deployerRules, scaleRule] : deployerRules);
}

export function deployerBinding(
  namespace: Input<string>,
  { users, groups, serviceAccounts }: DeployersParsed,
): Manifest<"RoleBinding"> {
  const accounts = serviceAccounts.map((account) => serviceAccountSubject(account.name, account.namespace));
  return roleBinding(metadata(namespace), joinedLists(peopleSubjects(users, groups), accounts));
}
