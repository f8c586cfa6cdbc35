/**
 * The culler, which puts idle containers to sleep, and the activator, which answers for them meanwhile. One image and one
 * program, but two pods and two accounts: the one that faces strangers may only wake.
 */

import { idleMetricsPort } from "../host/idle/contract.ts";
import type { IdleAccounts } from "../host/ways/gateway.ts";
import { type Input, text, whenKnown } from "../kit/input.ts";
import type { Container } from "../kubernetes/kinds.ts";
import { objectLabels, partLabel, prefix, selectorLabels } from "../kubernetes/labels.ts";
import { compact, type Manifest } from "../kubernetes/manifest.ts";
import { clusterName, joinName } from "../kubernetes/names.ts";
import {
  dnsEgress,
  everyPodOf,
  networkEgress,
  networkPolicy,
  podsIn,
  podsOf,
  tcp,
} from "../kubernetes/network-policy.ts";
import { serviceAccount } from "../kubernetes/own-namespace.ts";
import { apiAccess } from "../kubernetes/pod.ts";
import {
  clusterRole,
  clusterRoleBinding,
  type PolicyRule,
  roleBinding,
  role as roleOf,
  serviceAccountSubject,
} from "../kubernetes/rbac.ts";
import { podResources } from "../kubernetes/resources.ts";
import { podScheduling } from "../kubernetes/scheduling.ts";
import { programPod, restrictedContainer } from "../kubernetes/security.ts";
import { deployment, disruptionBudget } from "../kubernetes/workload.ts";
import { type GatewayIdleParsed, idleResources } from "./idle-args.ts";
import type { SshGatewayPlan } from "./plan.ts";

/** A gateway whose containers may sleep. */
export interface GatewayIdle {
  readonly plan: SshGatewayPlan;
  readonly idle: GatewayIdleParsed;
}

export type IdleRole = "culler" | "activator";

export const idleNameOf = ({ name }: { readonly name: string }, role: IdleRole) => joinName(name, role);

/** Who may be given rights to single containers. */
export function idleAccounts(plan: SshGatewayPlan): IdleAccounts | undefined {
  if (plan.idle === undefined) return undefined;
  return {
    namespace: plan.namespace,
    cullerServiceAccountName: idleNameOf(plan, "culler"),
    activatorServiceAccountName: idleNameOf(plan, "activator"),
    gpuMetrics: plan.idle.gpuMetrics !== undefined,
  };
}

/** The Lease by which one of the activator's pods leads. */
const activatorLease = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };

/** The right to that one Lease; the right to make one cannot be narrowed to a name. */
export function activatorLeaseRole({ plan }: GatewayIdle): Manifest<"Role"> {
  return roleOf(metadata(plan, "activator"), [
    { ...activatorLease, verbs: ["create"] },
    { ...activatorLease, resourceNames: [idleNameOf(plan, "activator")], verbs: ["get", "update"] },
  ]);
}

export function activatorLeaseBinding({ plan }: GatewayIdle): Manifest<"RoleBinding"> {
  return roleBinding(metadata(plan, "activator"), [accountOf(plan, "activator")]);
}

/** One at a time, so that the other has taken over before the next one goes. */
export function activatorBudget({ plan }: GatewayIdle): Manifest<"PodDisruptionBudget"> {
  const selector = selectorLabels("activator", plan.name);
  return disruptionBudget({ ...metadata(plan, "activator"), selector }, 1);
}

const metadata = (plan: SshGatewayPlan, role: IdleRole) => ({
  name: idleNameOf(plan, role),
  namespace: plan.namespace,
  labels: objectLabels(role, plan.name),
});

export function idleServiceAccount({ plan }: GatewayIdle, role: IdleRole): Manifest<"ServiceAccount"> {
  return serviceAccount(idleNameOf(plan, role), metadata(plan, role), { token: false });
}

const accountOf = (plan: SshGatewayPlan, role: IdleRole) =>
  serviceAccountSubject(idleNameOf(plan, role), plan.namespace);

const rules: Record<IdleRole, PolicyRule[]> = {
  // Which containers there are; what may be done to one, its own stack says.
  culler: [
    { apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["events"], verbs: ["get", "create", "patch"] },
  ],
  // The right to make a slice cannot be narrowed to one by name; a policy judges each.
  activator: [
    { apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["get", "list", "watch"] },
    {
      apiGroups: ["discovery.k8s.io"],
      resources: ["endpointslices"],
      verbs: ["list", "create", "update", "delete"],
    },
  ],
};

export function idleClusterRole({ plan }: GatewayIdle, role: IdleRole): Manifest<"ClusterRole"> {
  return clusterRole(clusterMetadata(plan, role), rules[role]);
}

export function idleClusterBinding({ plan }: GatewayIdle, role: IdleRole): Manifest<"ClusterRoleBinding"> {
  return clusterRoleBinding(clusterMetadata(plan, role), [accountOf(plan, role)]);
}

function clusterMetadata(plan: SshGatewayPlan, role: IdleRole) {
  const { namespace, labels } = metadata(plan, role);
  return { name: whenKnown(namespace, (known) => clusterName(role, known, plan.name)), labels };
}

/** The culler asks the API server and, for GPUs, a Prometheus; the activator is reached by the gateway alone. */
export function idleNetworkPolicy({ plan, idle }: GatewayIdle, role: IdleRole): Manifest<"NetworkPolicy"> {
  const monitoring = podsIn(idle.gpuMetrics === undefined ? [] : [idle.gpuMetrics.namespace]);
  const hasPrometheus = monitoring.length > 0;
  const fromPrometheus = hasPrometheus ? [{ from: monitoring, ports: tcp(idleMetricsPort) }] : [];
  const toPrometheus = hasPrometheus ? [{ to: monitoring }, dnsEgress(plan.egress.dns)] : [];
  const fromGateway = { from: [podsOf(plan.namespace, plan.selector)] };
  const toContainers = { to: [everyPodOf(partLabel("dev-container"))] };
  return networkPolicy(metadata(plan, role), {
    pods: selectorLabels(role, plan.name),
    ingress: role === "culler" ? fromPrometheus : [fromGateway, ...fromPrometheus],
    egress: [
      ...networkEgress(plan.egress.apiServer),
      ...(role === "activator" ? [toContainers] : toPrometheus),
    ],
  });
}

/**
 * Two activators: one leads, the other is ready to. A rollout or a drained node ends one at a time; it hands over and goes on
 * with those who wait and those that it joined. No connection goes through a culler, so it needs no second one.
 */
export function idleDeployment({ plan, idle }: GatewayIdle, role: IdleRole): Manifest<"Deployment"> {
  return deployment({
    ...metadata(plan, role),
    selector: selectorLabels(role, plan.name),
    replicas: role === "activator" ? 2 : 1,
    podAnnotations: { [`${prefix}/role`]: role },
    imagePullSecrets: plan.imagePullSecrets,
    pod: {
      serviceAccountName: idleNameOf(plan, role),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...podScheduling(plan.scheduling, {
        selector: selectorLabels(role, plan.name),
        apart: role === "activator",
      }),
      // Sessions that woke a container end with the activator that joined them.
      terminationGracePeriodSeconds: role === "activator" ? plan.terminationGracePeriodSeconds : 10,
      securityContext: programPod,
      containers: [program(plan, idle, role)],
      volumes: [apiAccess.volume],
    },
  });
}

function program(plan: SshGatewayPlan, idle: GatewayIdleParsed, role: IdleRole): Container {
  const probe = (path: string) => ({ httpGet: { path, port: idleMetricsPort } });
  return compact({
    name: role,
    image: idle.image as Input<string>,
    imagePullPolicy: plan.imagePullPolicy,
    args: [
      role === "culler" ? "cull" : "activate",
      text`--gateway=${plan.namespace}/${plan.name}`,
      `--metrics-port=${idleMetricsPort}`,
      ...(role === "culler" ? cullerOptions(idle) : activatorOptions(plan, idle)),
    ],
    env:
      role === "activator"
        ? [
            ofPod("POD_IP", "status.podIP"),
            ofPod("POD_NAME", "metadata.name"),
            ofPod("POD_UID", "metadata.uid"),
          ]
        : undefined,
    ports: [{ name: "metrics", containerPort: idleMetricsPort, protocol: "TCP" }],
    startupProbe: { ...probe("/healthz"), periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: { ...probe("/readyz"), periodSeconds: 2, failureThreshold: 3 },
    livenessProbe: { ...probe("/healthz"), periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 5 },
    resources: podResources(idle.resources, idleResources),
    securityContext: { ...restrictedContainer, readOnlyRootFilesystem: true },
    volumeMounts: [apiAccess.mount],
  });
}

function cullerOptions({ periodSeconds, gpuMetrics }: GatewayIdleParsed): Input<string>[] {
  return [
    text`--every=${periodSeconds}`,
    ...(gpuMetrics === undefined ? [] : [text`--prometheus=${gpuMetrics.prometheus}`]),
    ...(gpuMetrics?.query === undefined ? [] : [text`--gpu-query=${gpuMetrics.query}`]),
  ];
}

const ofPod = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });

function activatorOptions(
  plan: SshGatewayPlan,
  { wakesPerHour, wakeQuietSeconds }: GatewayIdleParsed,
): Input<string>[] {
  return [
    "--address=$(POD_IP)",
    text`--lease=${plan.namespace}/${idleNameOf(plan, "activator")}`,
    "--pod=$(POD_NAME)/$(POD_UID)",
    text`--wakes-per-hour=${wakesPerHour}`,
    text`--reconnect-pause=${wakeQuietSeconds}`,
  ];
}
