/** Objects that fill etcd, few as they may be. */
import type { ApiObject } from "./api-user.ts";
import { type Attack, type Place, variants, type Who } from "./attack.ts";
import { kinds, pod, podSpec, whoWrites, workload } from "./greedy-workloads.ts";
import { object } from "./istio.ts";
import { metadata, service } from "./kubernetes.ts";

const fill = (bytes: number, letter = "x") => letter.repeat(bytes / Buffer.byteLength(letter));

const withData = (kind: string, place: Place, content: object): ApiObject => ({
  apiVersion: "v1",
  kind,
  metadata: metadata(place, "deployer"),
  ...content,
});

export const configMap = (place: Place, text: string) =>
  withData("ConfigMap", place, { data: { "page.html": text } });

/** The object with an annotation of that many bytes. */
export const annotated = (one: ApiObject, bytes: number): ApiObject => ({
  ...one,
  metadata: { ...one.metadata, annotations: { note: fill(bytes) } },
});

const heavy = {
  policy: "team-etcd",
  refusal: /an object of \w+ may take \d+ bytes in etcd, and this one takes \d+/,
} as const;

const ordinary = 200 * 1024;

const data = variants<object>(
  {
    ...heavy,
    who: "deployer",
    name: "a ConfigMap that fills etcd",
    make: (place, content) => withData("ConfigMap", place, content),
    twin: (place) => configMap(place, fill(ordinary)),
  },
  {
    "by its text": () => ({ data: { text: fill(360_000) } }),
    "by letters of three bytes": () => ({ data: { text: fill(360_000, "€") } }),
    "by its names": () => ({
      data: Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`${fill(120)}${index}`, ""])),
    }),
    "by binary data": () => ({ binaryData: { file: fill(360_000, "AAAA") } }),
  },
);

const secrets = variants<number>(
  {
    ...heavy,
    who: "deployer",
    name: "a Secret that fills etcd",
    make: (place, bytes) =>
      withData("Secret", place, { type: "Opaque", data: { file: fill(bytes, "AAAA") } }),
    twin: (place) => withData("Secret", place, { type: "Opaque", data: { file: fill(ordinary, "AAAA") } }),
  },
  { "a little too large": 360_000 },
);

const rbac = "rbac.authorization.k8s.io";

/** Kinds without a pod in them, by who may write them. */
const small: readonly (readonly [Who, (place: Place) => ApiObject])[] = [
  ...(
    [
      ["deployer", "networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {} } }],
      [
        "deployer",
        "policy/v1",
        "PodDisruptionBudget",
        { spec: { selector: { matchLabels: { app: "own" } } } },
      ],
      ["deployer", `${rbac}/v1`, "Role", { rules: [] }],
      [
        "deployer",
        `${rbac}/v1`,
        "RoleBinding",
        { roleRef: { apiGroup: rbac, kind: "Role", name: "drawbridge-deployer" } },
      ],
      [
        "deployer",
        "v1",
        "PersistentVolumeClaim",
        {
          spec: {
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: "1Gi" } },
            storageClassName: "none",
          },
        },
      ],
      ["owner", "v1", "ServiceAccount", {}],
      ["owner", "v1", "PodTemplate", { template: { spec: podSpec({}) } }],
      ["owner", "v1", "LimitRange", { spec: { limits: [] } }],
      ["owner", "coordination.k8s.io/v1", "Lease", { spec: {} }],
      ["owner", "apps/v1", "ControllerRevision", { revision: 1, data: {} }],
      [
        "owner",
        "networking.k8s.io/v1",
        "Ingress",
        { spec: { defaultBackend: { service: { name: "own", port: { number: 80 } } } } },
      ],
      [
        "owner",
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        {
          spec: {
            maxReplicas: 1,
            scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "own" },
          },
        },
      ],
      // Kinds that no quota counts.
      ["owner", "gateway.networking.k8s.io/v1", "HTTPRoute", { spec: {} }],
    ] as const
  ).map(
    ([who, apiVersion, kind, content]) =>
      [
        who,
        (place: Place): ApiObject => ({ apiVersion, kind, metadata: metadata(place, who), ...content }),
      ] as const,
  ),
  [
    "owner",
    (place) => ({
      apiVersion: "v1",
      kind: "Event",
      metadata: metadata(place, "owner"),
      involvedObject: { kind: "Pod", name: "own", namespace: place.team },
    }),
  ],
  ["deployer", (place) => service(place, "deployer")],
  ["owner", (place) => pod(place, {})],
  ...Object.keys(kinds).map((kind) => [whoWrites(kind), (place: Place) => workload(kind, place)] as const),
];

const others = small.flatMap(([who, of]) => {
  const { apiVersion, kind } = of({} as Place);
  return variants<number>(
    {
      ...heavy,
      who,
      // The Gateway API is installed by who wants it.
      ...(apiVersion.startsWith("gateway.") && { bare: true as const }),
      name: `a ${kind} that fills etcd`,
      make: (place, bytes) => annotated(of(place), bytes),
      twin: (place) => annotated(of(place), 48_000),
    },
    { "by an annotation": 57_000 },
  );
});

const route = (place: Place, prefix: string) =>
  object("VirtualService", place, "deployer", {
    gateways: ["own"],
    hosts: ["own.example.org"],
    http: [{ match: [{ uri: { prefix } }], route: [{ destination: { host: "own" } }] }],
  });

const asJson = variants<string>(
  {
    ...heavy,
    who: "deployer",
    name: "a VirtualService that fills etcd",
    make: route,
    twin: (place) => route(place, fill(40_000)),
  },
  // Each is six bytes in JSON.
  {
    "by what JSON escapes: <": fill(10_000, "<"),
    "by what JSON escapes: >": fill(10_000, ">"),
    "by what JSON escapes: &": fill(10_000, "&"),
  },
);

const template = variants<(place: Place) => ApiObject>(
  {
    ...heavy,
    who: "deployer",
    name: "a StatefulSet that fills etcd, once for each of its versions and pods",
    make: (place, of) => of(place),
    twin: (place) => workload("StatefulSet", place, { nodeSelector: { note: fill(60) } }),
  },
  {
    "by its scripts": () => (place) => withContainer(place, { args: [fill(57_000)] }),
    "by its environment": () => (place) =>
      withContainer(place, { env: [{ name: "A", value: fill(57_000) }] }),
    "by its claims": () => (place) =>
      workload(
        "StatefulSet",
        place,
        {},
        {
          volumeClaimTemplates: [
            {
              metadata: { name: "home", annotations: { note: fill(57_000) } },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          ],
        },
      ),
  },
).map((attack) => (attack.name.endsWith("claims") ? { ...attack, newAlone: true as const } : attack));

function withContainer(place: Place, fields: object): ApiObject {
  const { spec } = pod(place, {}) as unknown as { spec: { containers: [object] } };
  return workload("StatefulSet", place, { containers: [{ ...spec.containers[0], ...fields }] });
}

/** Of which the default quota counts none. */
const uncounted = ["Event", "HTTPRoute"];

/** One of each kind that it counts. */
export const countedObjects = (place: Place): ApiObject[] =>
  small.map(([, of]) => of(place)).filter(({ kind }) => !uncounted.includes(kind));

export const heavyAttacks: readonly Attack[] = [...data, ...secrets, ...others, ...asJson, ...template];
