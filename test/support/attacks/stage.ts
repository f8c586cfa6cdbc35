/** What must be in place before an attack: namespaces, the platform's objects in them, accounts and their rights. */

import { defaultQuota } from "../../../packages/drawbridge/src/istio/team-limits.ts";
import {
  type AdmissionPolicy,
  admissionPolicy,
  admissionPolicyBinding,
  type PolicyOwner,
} from "../../../packages/drawbridge/src/kubernetes/admission.ts";
import { objectLabels } from "../../../packages/drawbridge/src/kubernetes/labels.ts";
import {
  clusterRole,
  clusterRoleBinding,
  type PolicyRule,
  rbacGroup,
  role,
  roleBinding,
  serviceAccountSubject,
} from "../../../packages/drawbridge/src/kubernetes/rbac.ts";
import { gatewayPolicies } from "../../../packages/drawbridge/src/ssh-gateway/admission-policy.ts";
import { sshGatewaySchema } from "../../../packages/drawbridge/src/ssh-gateway/args-checks.ts";
import {
  type KnownSshGatewayPlan,
  planSshGateway,
} from "../../../packages/drawbridge/src/ssh-gateway/plan.ts";
import { deployerBinding, deployerRole } from "../../../packages/drawbridge/src/team/deployer-role.ts";
import { teamDefaultDeny, teamNamespace } from "../../../packages/drawbridge/src/team/namespace.ts";
import { outsideHostObjects } from "../../../packages/drawbridge/src/team/outside-hosts.ts";
import { restricted } from "../lab/restricted.ts";
import type { ApiObject } from "./api-user.ts";
import { everybody, named, ownPodLabels, type Place, type Who } from "./attack.ts";
import { allowedNetwork, endpoints, othersObjects, slice } from "./kubernetes.ts";

const everything = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];

/** The namespace of the accounts. */
export const accounts = "attackers";

export function placeOf(prefix: string): Place {
  return {
    gateway: { name: "gate", namespace: `${prefix}-gate`, domain: "dev.example.com" },
    team: `${prefix}-team`,
    victim: `${prefix}-victim`,
    bystander: `${prefix}-by`,
  };
}

/** Of the team's machine outside of the cluster. */
const outsideAddress = "10.20.0.5";

/** What the platform lets the neighbour use. Kinds of Istio's count only once the control plane has noticed them. */
export const hardQuota = Object.fromEntries(
  Object.entries(defaultQuota).filter(([kind]) => !kind.endsWith("istio.io")),
);

/** A policy with its owner. */
export interface Standing {
  readonly owner: PolicyOwner;
  readonly policy: AdmissionPolicy;
}

const loadBalancer = { preset: "generic" } as const;

/** Every policy of the gateway. */
export function policiesOf({ gateway }: Place): Standing[] {
  const parsed = sshGatewaySchema.parse({ ...gateway, loadBalancer, pod: { labels: ownPodLabels } });
  const plan = planSshGateway(gateway.name, parsed) as KnownSshGatewayPlan;
  const owner = { path: ["ssh-gateway", plan.namespace, plan.name], labels: plan.labels };
  return gatewayPolicies(plan).map((policy) => ({ owner, policy }));
}

/** The objects of a policy: itself and its binding. @param only labels of the namespaces that it is limited to */
export function admissionObjects(
  { owner, policy }: Standing,
  only: Readonly<Record<string, string>>,
): object[] {
  const judging = admissionPolicy(owner, policy) as unknown as {
    spec: { matchConstraints: { namespaceSelector?: object } };
  };
  const constraints = judging.spec.matchConstraints;
  constraints.namespaceSelector = { ...constraints.namespaceSelector, matchLabels: only };
  return [judging, admissionPolicyBinding(owner, policy)];
}

/** The accounts themselves. */
export const accountObjects: readonly object[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: accounts } },
  ...everybody.map((name) => ({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name, namespace: accounts },
  })),
  {
    ...clusterRoleBinding({ name: `${accounts}-platform` }, account("platform")),
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: "cluster-admin" },
  },
  ...part("node", [
    { apiGroups: [""], resources: ["pods"], verbs: ["create", "patch"] },
    { apiGroups: [""], resources: ["pods/status"], verbs: ["update"] },
  ]),
  ...part("workloads", [
    { apiGroups: [""], resources: ["pods"], verbs: ["create", "patch"] },
    { apiGroups: [""], resources: ["pods/binding"], verbs: ["create"] },
  ]),
  ...part("collector", [{ apiGroups: [""], resources: ["pods/status"], verbs: ["patch"] }]),
  ...part("slicer", [
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["create", "update"] },
  ]),
  ...part("counter", [{ apiGroups: [""], resources: ["resourcequotas/status"], verbs: ["update"] }]),
  ...part("keeper", [{ apiGroups: [""], resources: ["services"], verbs: ["patch", "update"] }]),
  ...part("remover", [{ apiGroups: ["*"], resources: ["*"], verbs: ["delete"] }]),
];

function account(who: Who) {
  return [serviceAccountSubject(who, accounts)];
}

/** The rights of an account that stands for a part of the control plane. */
function part(who: Who, rules: PolicyRule[]): object[] {
  const metadata = { name: `${accounts}-${who}` };
  return [clusterRole(metadata, rules), clusterRoleBinding(metadata, account(who))];
}

/** A Role in one namespace and its binding to one of the accounts. */
function right(who: Who, namespace: string, rules: PolicyRule[]): object[] {
  const metadata = { name: who, namespace };
  return [role(metadata, rules), roleBinding(metadata, account(who))];
}

/**
 * @param labels further labels of the namespaces, by which a test finds them
 * @param image of the neighbour's pod, where pods run
 */
export function stage(
  place: Place,
  labels: Readonly<Record<string, string>> = {},
  image = "drawbridge.local/none:1",
): object[] {
  const { gateway, team, victim, bystander } = place;
  const marked = (name: string, allow: readonly string[]) => {
    const { metadata, ...rest } = teamNamespace(name, allow);
    const others = { note: "stage", "kubectl.kubernetes.io/note": "stage", "stage.k8s.io/note": "stage" };
    const annotations = { ...metadata.annotations, ...others };
    const platforms = { name: "stage", "control-plane": "stage", "istio-injection": "disabled" };
    return {
      ...rest,
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, purpose: "stage", ...platforms, ...labels },
        annotations,
      },
    };
  };
  const plain = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  const deployers = { users: [], groups: [], serviceAccounts: [{ name: "deployer", namespace: accounts }] };
  const shares = { name: "team", namespace: team, labels: objectLabels("team", team) };
  const own = { name: "stage", namespace: team, labels: { app: "stage" } };
  return [
    marked(team, [allowedNetwork]),
    marked(victim, []),
    plain(bystander),
    plain(gateway.namespace),
    teamDefaultDeny(team),
    deployerRole(team),
    deployerBinding(team, deployers),
    // Before the quota, which allows none.
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...own, name: "stage-web" },
      spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ name: "http", port: 80 }] },
    },
    { apiVersion: "v1", kind: "ResourceQuota", metadata: shares, spec: { hard: hardQuota } },
    // A bystander's of that name says nothing about a team.
    {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "team", namespace: bystander },
      spec: { hard: { configmaps: "300" } },
    },
    { apiVersion: "v1", kind: "LimitRange", metadata: shares, spec: { limits: [] } },
    ...Object.values(outsideHostObjects(team, { vm1: { address: outsideAddress, port: 22 } })).map(
      ({ manifest }) => manifest,
    ),
    ...right("owner", team, everything),
    ...right("bystander", bystander, everything),
    ...right("gateway", gateway.namespace, [
      {
        apiGroups: ["networking.istio.io", "gateway.networking.k8s.io"],
        resources: ["virtualservices", "gateways"],
        verbs: ["*"],
      },
    ]),
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: own,
      spec: {
        automountServiceAccountToken: false,
        containers: [
          {
            name: "main",
            image,
            imagePullPolicy: "IfNotPresent",
            command: ["httpd", "-f", "-p", "8080", "-h", "/"],
            resources: { requests: { cpu: "10m", memory: "16Mi" } },
            securityContext: restricted,
          },
        ],
      },
    },
  ];
}

/** Objects that a namespace may have from before the policies. */
export function older(place: Place): ApiObject[] {
  const entry = { apiVersion: "networking.istio.io/v1", kind: "WorkloadEntry" };
  return [
    named(slice(place, "owner", "192.0.2.7"), "older"),
    named(endpoints(place, "owner", "192.0.2.7"), "older"),
    ...othersObjects(place).map((object) => named(object, "older")),
    {
      ...entry,
      metadata: { name: "older", namespace: place.team },
      spec: { address: "192.0.2.7", labels: { app: "own" } },
    },
  ];
}
