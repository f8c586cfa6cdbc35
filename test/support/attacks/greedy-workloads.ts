/** Workloads at the cost of others: of the cluster's controllers, and of others' pods. */
import { restricted } from "../lab/restricted.ts";
import type { Answer, ApiObject, ApiUser } from "./api-user.ts";
import { type Attack, named, type Place, variants } from "./attack.ts";
import { annotated, noNames, ownAnnotation, takesNames } from "./dns-names.ts";

type Spec = Record<string, unknown>;

const labels = { app: "own" };

export const podSpec = (spec: Spec): Spec => ({
  automountServiceAccountToken: false,
  containers: [
    {
      name: "main",
      image: "drawbridge.local/none:1",
      resources: { requests: { cpu: "1m", memory: "1Mi" } },
      securityContext: restricted,
    },
  ],
  ...spec,
});

const templateOf = (spec: Spec) => ({ metadata: { labels }, spec: podSpec(spec) });
const jobOf = (spec: Spec) => ({ suspend: true, template: templateOf({ restartPolicy: "Never", ...spec }) });
const setOf = (spec: Spec) => ({ selector: { matchLabels: labels }, template: templateOf(spec) });

/** Workloads none of whose pods come to be, by what their pods would have. */
export const kinds: Readonly<Record<string, readonly [apiVersion: string, spec: (pod: Spec) => Spec]>> = {
  Deployment: ["apps/v1", (pod) => ({ replicas: 0, ...setOf(pod) })],
  StatefulSet: ["apps/v1", (pod) => ({ replicas: 0, serviceName: "own", ...setOf(pod) })],
  ReplicaSet: ["apps/v1", (pod) => ({ replicas: 0, ...setOf(pod) })],
  DaemonSet: ["apps/v1", (pod) => setOf({ nodeSelector: { of: "nobody" }, ...pod })],
  ReplicationController: ["v1", (pod) => ({ replicas: 0, selector: labels, template: templateOf(pod) })],
  Job: ["batch/v1", jobOf],
  CronJob: ["batch/v1", (pod) => ({ suspend: true, schedule: "@yearly", jobTemplate: { spec: jobOf(pod) } })],
};

export function workload(kind: string, { team }: Place, pod: Spec = {}, changes: Spec = {}): ApiObject {
  const [apiVersion, spec] = kinds[kind] as (typeof kinds)[string];
  return { apiVersion, kind, metadata: { name: "own", namespace: team }, spec: { ...spec(pod), ...changes } };
}

/** One that stands there without pods. */
export const suspended = (kind: string) => (place: Place) => named(workload(kind, place), "suspended");

const roleHas = new Set(["Deployment", "StatefulSet", "Job", "CronJob"]);
export const whoWrites = (kind: string) => (roleHas.has(kind) ? "deployer" : "owner");

const tooManyReplicas = /a workload of a team's namespace may have at most 100 replicas/;

const sets = ["Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"].flatMap((kind) =>
  variants<number>(
    {
      policy: "team-replicas",
      who: whoWrites(kind),
      name: `a ${kind} that fills the controller manager`,
      refusal: tooManyReplicas,
      make: (place, replicas) => workload(kind, place, {}, { replicas }),
      twin: (place) => workload(kind, place),
    },
    { "as many as there may be": () => 2 ** 31 - 1, "one too many": () => 101 },
  ),
);

/** One that is there, scaled. */
const scaledTo =
  (kind: string, replicas: number) =>
  async (user: ApiUser, place: Place): Promise<Answer> => {
    const set = suspended(kind)(place);
    const made = await user.apply(set);
    if (made.status >= 300) return made;
    return user.merge(set, { spec: { replicas } }, { dryRun: true, subresource: "scale" });
  };

export const byScale = ["StatefulSet", "ReplicationController"].map(
  (kind) =>
    ({
      name: `a ${kind} that fills the controller manager, by its scale`,
      policy: "team-replicas",
      who: "owner",
      refusal: tooManyReplicas,
      attempt: scaledTo(kind, 101),
      twin: scaledTo(kind, 100),
    }) as const,
);

const negative = variants<number>(
  {
    policy: "team-replicas",
    who: "deployer",
    name: "a StatefulSet that ends an older controller manager",
    refusal: /a revisionHistoryLimit is 0 or more/,
    make: (place, revisionHistoryLimit) => workload("StatefulSet", place, {}, { revisionHistoryLimit }),
    twin: (place) => workload("StatefulSet", place, {}, { revisionHistoryLimit: 0 }),
  },
  { "fewer than no versions kept": -1 },
);

export const pod = ({ team }: Place, spec: Spec): ApiObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "own", namespace: team },
  spec: podSpec(spec),
});

/** Only labels and annotations of a pod that is there can be changed. */
const onePod = { policy: "team-pods", who: "owner", newAlone: true } as const;

const awayFrom = (term: Spec): Spec => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "kubernetes.io/os", labelSelector: { matchLabels: labels }, ...term },
      ],
    },
  },
});

const noNodeName = /a team's pod has no nodeName: the scheduler chooses its node/;
const onItsNode = { nodeName: "node-1" };

const pods = [
  ...variants<Spec>(
    {
      ...onePod,
      name: "a pod that keeps others' away",
      refusal: /a team's pod must not keep away from pods of other namespaces/,
      make: pod,
      twin: (place) => pod(place, awayFrom({ namespaces: [place.team] })),
    },
    {
      "every namespace's": () => awayFrom({ namespaceSelector: {} }),
      "another's": ({ victim }) => awayFrom({ namespaces: [victim] }),
    },
  ),
  ...variants<Spec>(
    {
      ...onePod,
      name: "a pod that ends others'",
      refusal: /a team's pod may not have a priority of the cluster's own/,
      make: pod,
      twin: (place) => pod(place, {}),
    },
    {
      "with the nodes' priority": () => ({ priorityClassName: "system-node-critical" }),
      "with the cluster's": () => ({ priorityClassName: "system-cluster-critical" }),
    },
  ),
  ...(["owner", "workloads"] as const).flatMap((who) =>
    variants<Spec>(
      {
        ...onePod,
        who,
        name: `a pod of ${who === "owner" ? "a team's" : "a controller's"} that goes past the scheduler`,
        refusal: noNodeName,
        make: pod,
        twin: (place) => pod(place, { nodeSelector: { "kubernetes.io/hostname": "node-1" } }),
      },
      { "to a node that it names": () => onItsNode },
    ),
  ),
  ...variants<string>(
    {
      policy: "team-pods",
      who: "owner",
      name: "a pod that takes a name in the DNS",
      refusal: noNames,
      make: (place, key) => annotated(pod(place, {}), key),
      twin: (place) => annotated(pod(place, {}), ownAnnotation),
    },
    takesNames,
  ),
  ...Object.keys(kinds).flatMap((kind) =>
    variants<Spec>(
      {
        policy: "team-pods",
        who: whoWrites(kind),
        // What a Job's or ReplicaSet's pods are is decided when it comes.
        ...(kind === "Job" || kind === "ReplicaSet" ? { newAlone: true } : {}),
        name: `a ${kind} whose pods go past the scheduler`,
        refusal: noNodeName,
        make: (place, spec) => workload(kind, place, spec),
        twin: (place) => workload(kind, place),
      },
      { "to a node that it names": () => onItsNode },
    ),
  ),
];

const calling = (calls: Spec, list = "containers"): Spec => {
  const { containers } = podSpec({}) as { containers: Spec[] };
  return { [list]: containers.map((one) => ({ ...one, name: "calls", ...calls })) };
};
const toHost = (host?: string) => ({ httpGet: { port: 10_248, ...(host === undefined ? {} : { host }) } });

/** Of pods, Pod Security asks the same in a newer Kubernetes, and answers first. */
const templates = [
  ...variants<Spec>(
    {
      policy: "team-pods",
      who: "deployer",
      name: "a Deployment whose pods let the node call where they may not",
      refusal: /probes and hooks of a team's pod have no host/,
      make: (place, spec) => workload("Deployment", place, spec),
      twin: (place) =>
        workload(
          "Deployment",
          place,
          calling({ readinessProbe: toHost(), lifecycle: { preStop: toHost() } }),
        ),
    },
    {
      "to see whether it lives": () => calling({ livenessProbe: toHost("127.0.0.1") }),
      "to see whether it is ready": () => calling({ readinessProbe: toHost("10.96.0.1") }),
      "to see whether it has started": () =>
        calling({ startupProbe: { tcpSocket: { port: 22, host: "10.244.0.9" } } }),
      "when it starts": () => calling({ lifecycle: { postStart: toHost("169.254.169.254") } }),
      "when it stops": () => calling({ lifecycle: { preStop: toHost("localhost") } }),
      "of a container that runs beside": () =>
        calling({ restartPolicy: "Always", startupProbe: toHost("127.0.0.1") }, "initContainers"),
    },
  ),
  ...variants<Spec>(
    {
      policy: "team-pods",
      who: "deployer",
      name: "a Deployment whose pods go to the nodes of others",
      refusal: /a team's pod tolerates taints by their keys, and none of node-role/,
      make: (place, toleration) => workload("Deployment", place, { tolerations: [toleration] }),
      twin: (place) => workload("Deployment", place, { tolerations: [gpuNode] }),
    },
    {
      "whatever keeps others away": () => ({ operator: "Exists" }),
      "to the control plane's": () => ({ key: "node-role.kubernetes.io/control-plane", operator: "Exists" }),
      "to the gateway's": () => ({ key: "drawbridge.dev/gateway", operator: "Exists" }),
    },
  ),
  ...variants<readonly [number, number]>(
    {
      policy: "team-pods",
      who: "deployer",
      name: "a Deployment whose pods' status fills etcd",
      refusal: /a team's pod may have at most 32 containers, initContainers included/,
      make: (place, counts) => workload("Deployment", place, manyContainers(...counts)),
      twin: (place) => workload("Deployment", place, manyContainers(20, 12)),
    },
    { "by containers": () => [33, 0], "by those that run before": () => [1, 32] },
  ),
];

function manyContainers(containers: number, initContainers: number): Spec {
  const [one] = podSpec({}).containers as [Spec];
  const some = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => ({ ...one, name: `${name}-${index}` }));
  return { containers: some(containers, "c"), initContainers: some(initContainers, "i") };
}

const gpuNode = { key: "nvidia.com/gpu", operator: "Exists" };

export const unscheduled = (place: Place) => pod(place, {});

/** A pod of a node's own file, as the node shows it in the API. */
export const mirrored = (place: Place) => pod(place, onItsNode);

export const greedyWorkloads: readonly Attack[] = [...sets, ...negative, ...pods, ...templates];
