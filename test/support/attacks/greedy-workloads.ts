/** Workloads at the cost of others: of the cluster's controllers, and of others' pods. */
import { restricted } from "../lab/restricted.ts";
import type { Answer, ApiObject, ApiUser } from "./api-user.ts";
import { named, namespaceOf, type Place, variants, type Who } from "./attack.ts";

/** As many pods as one likes, which need not come to be. */
function statefulSet(place: Place, who: Who, replicas: number): ApiObject {
  const labels = { app: "own" };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "own", namespace: namespaceOf(who, place) },
    spec: {
      replicas,
      serviceName: "own",
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "drawbridge.local/none:1" }] },
      },
    },
  };
}

const tooManyReplicas = /a StatefulSet of a team's namespace may have at most 100 replicas/;

export const sets = variants<number>(
  {
    policy: "team-replicas",
    who: "deployer",
    name: "a StatefulSet that fills the controller manager",
    refusal: tooManyReplicas,
    make: (place, replicas) => statefulSet(place, "deployer", replicas),
    twin: (place) => statefulSet(place, "deployer", 0),
  },
  { "as many as there may be": () => 2 ** 31 - 1, "one too many": () => 101 },
);

/** One that is there, scaled. */
const scaledTo =
  (replicas: number) =>
  async (user: ApiUser, place: Place): Promise<Answer> => {
    const set = named(statefulSet(place, "owner", 0), "scaled");
    const made = await user.apply(set);
    if (made.status >= 300) return made;
    return user.merge(set, { spec: { replicas } }, { dryRun: true, subresource: "scale" });
  };

export const byScale = {
  name: "a StatefulSet that fills the controller manager, by its scale",
  policy: "team-replicas",
  who: "owner",
  refusal: tooManyReplicas,
  attempt: scaledTo(101),
  twin: scaledTo(100),
} as const;

const pod = (place: Place, spec: Spec): ApiObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "own", namespace: place.team },
  spec: {
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
  },
});
type Spec = Record<string, unknown>;
const awayFrom = (term: Spec): Spec => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "kubernetes.io/os", labelSelector: { matchLabels: { app: "own" } }, ...term },
      ],
    },
  },
});

export const greedyPods = [
  ...variants<Spec>(
    {
      policy: "team-pods",
      who: "owner",
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
      policy: "team-pods",
      who: "owner",
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
];
