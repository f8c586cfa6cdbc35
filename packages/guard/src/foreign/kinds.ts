/** The kinds of another's objects that are known to be harmless in the shapes that stand here, with the reason. */
import { exactly } from "../effect.ts";
import { at, mapAt } from "../values.ts";
import {
  annotations,
  claimSpec,
  labels,
  ordinaryTemplate,
  restrictedTemplate,
  selector,
  templateMetadata,
} from "./pod.ts";
import { all, anything, both, fields, listOf, only, type Shape, shown } from "./shape.ts";

// No owner references: an object goes when its owner is gone.
const metadata = fields({ labels, annotations, ...all("name namespace", shown) });
const head = { metadata, apiVersion: anything, kind: anything };
const object = (more: Readonly<Record<string, Shape>>) => fields({ ...head, ...more });

const counts =
  "replicas minReadySeconds paused progressDeadlineSeconds revisionHistoryLimit selector strategy updateStrategy";

const hasSelector: Shape = (value, path) =>
  Object.keys((at(value, "selector") ?? {}) as object).length > 0
    ? []
    : [`${path}, which has no selector: those who may write its endpoints decide where it leads`];

/** Without a selector it is for no pod, with an empty one for all. */
const selectsByLabels: Shape = (value, path) => {
  const { matchLabels = {}, ...others } = mapAt(value, "selector");
  const isPlain = Object.keys(matchLabels as object).length > 0 && Object.keys(others).length === 0;
  return isPlain || at(value, "selector") === undefined
    ? []
    : [`${path}.selector, which selects more than by labels`];
};

/** Namespaces' labels with the Pod Security level that the API server holds pods to. */
export const enforced = "pod-security.kubernetes.io/enforce";
const level =
  (...levels: unknown[]): Shape =>
  (value, path) =>
    levels.includes(at(value, "labels", enforced))
      ? []
      : [exactly(`${path}.labels, which do not enforce "restricted"`, at(value, "labels", enforced))];
const plainNamespace: Shape = (value, path) => [
  ...Object.entries(mapAt(value, "labels"))
    .filter(([name, one]) => name.includes("istio") || (name === `${enforced}-version` && one !== "latest"))
    .map(([name, one]) => exactly(`${path}.labels.${name}`, one)),
  ...(/^(kube-|default$)/.test(String(at(value, "name")))
    ? [`${path}.name, which is the cluster's own`]
    : []),
];
const namespace = (levels: Shape) =>
  fields({ ...head, metadata: both(both(metadata, plainNamespace), levels) });

const quiet: Readonly<Record<string, Shape>> = {
  // Text for those who name it.
  "core/ConfigMap": object(all("data binaryData immutable")),
  // The same, but for tokens of accounts.
  "core/Secret": object({
    ...all("data stringData immutable"),
    type: only(
      "Opaque",
      "kubernetes.io/dockerconfigjson",
      "kubernetes.io/basic-auth",
      "kubernetes.io/ssh-auth",
      "kubernetes.io/tls",
    ),
  }),
  // An empty volume of its own.
  "core/PersistentVolumeClaim": object({ spec: claimSpec }),
  // An account has no rights by itself.
  "core/ServiceAccount": object({ automountServiceAccountToken: anything, imagePullSecrets: anything }),
  "core/Service": object({
    spec: both(
      fields({
        type: only("ClusterIP"),
        clusterIP: only("None"),
        selector,
        ...all(
          "ports internalTrafficPolicy ipFamilies ipFamilyPolicy publishNotReadyAddresses sessionAffinity sessionAffinityConfig trafficDistribution",
        ),
      }),
      hasSelector,
    ),
  }),
  // How many pods run, and how many may be moved at once.
  "policy/PodDisruptionBudget": object({ spec: both(shown, selectsByLabels) }),
  "autoscaling/HorizontalPodAutoscaler": object({ spec: shown }),
};

const job = (template: Shape) =>
  fields({
    template,
    ...all(
      "activeDeadlineSeconds backoffLimit completions completionMode parallelism suspend ttlSecondsAfterFinished podFailurePolicy",
    ),
  });
function podsOf(template: Shape): Readonly<Record<string, Shape>> {
  const workload = object({ spec: fields({ template, ...all(counts) }) });
  return {
    "core/Pod": (value, path, bounds) =>
      template({ metadata: at(value, "metadata"), spec: at(value, "spec") }, path, bounds),
    "apps/Deployment": workload,
    "apps/DaemonSet": workload,
    "apps/StatefulSet": object({
      spec: fields({
        template,
        volumeClaimTemplates: listOf(fields({ ...head, spec: claimSpec })),
        persistentVolumeClaimRetentionPolicy: fields(all("whenDeleted whenScaled", only("Retain"))),
        ...all(`${counts} serviceName podManagementPolicy ordinals`),
      }),
    }),
    "batch/Job": object({ spec: job(template) }),
    "batch/CronJob": object({
      spec: fields({
        jobTemplate: fields({ metadata: templateMetadata, spec: job(template) }),
        ...all(
          "schedule timeZone concurrencyPolicy suspend startingDeadlineSeconds successfulJobsHistoryLimit failedJobsHistoryLimit",
        ),
      }),
    }),
    "agents.x-k8s.io/Sandbox": object({
      spec: fields({
        podTemplate: template,
        volumeClaimTemplates: listOf(fields({ ...head, spec: claimSpec })),
        shutdownPolicy: only("Retain"),
        ...all("replicas shutdownTime"),
      }),
    }),
  };
}

/** Wherever they are: pods within "restricted", and a namespace that holds its own to that. */
export const harmless: Readonly<Record<string, Shape>> = {
  ...quiet,
  ...podsOf(restrictedTemplate),
  "core/Namespace": namespace(level("restricted")),
};

/** Where the bounds name the namespace: pods within "baseline", and one whose level nobody has set. */
export const ordinary: Readonly<Record<string, Shape>> = {
  ...quiet,
  ...podsOf(ordinaryTemplate),
  "core/Namespace": namespace(level("restricted", "baseline", undefined)),
};

/** Kinds that give rights or lead somewhere: someone loses something when one goes, and nobody gains. */
export const givers = new Set([
  "rbac.authorization.k8s.io/Role",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/RoleBinding",
  "rbac.authorization.k8s.io/ClusterRoleBinding",
  "networking.istio.io/VirtualService",
  "networking.istio.io/Gateway",
  "networking.istio.io/ServiceEntry",
  "discovery.k8s.io/EndpointSlice",
]);
