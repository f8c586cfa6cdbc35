/** Attempts of an author who has read the pages: each is stopped, and its daily twin passes. */
import { areStopped, dev, hidings, restrictedContainer, restrictedPod } from "./attacks.fixture.ts";
import { parseBounds } from "./bounds.ts";
import { type Change, toChange } from "./change.ts";
import { change, edited } from "./sample.fixture.ts";

const bounds = parseBounds({ namespaces: ["team-a"] }, "bounds");
const here = dev({});
const object = (kind: string, is: object, fields: Partial<Change> = {}, name = "mine") => {
  const { metadata = {}, ...rest } = is as { metadata?: object };
  const after = { metadata: { name, namespace: "team-a", ...metadata }, ...rest };
  return [...here, change(kind, name, { op: "create", before: undefined, after, ...fields })];
};
const template = (spec: object, metadata: object = { labels: { app: "a" } }) => ({
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: { metadata, spec: { ...restrictedPod, containers: [restrictedContainer], ...spec } },
  },
});
const namespace = (name: string, labels: object = {}) =>
  object("Namespace", {
    metadata: {
      name,
      namespace: undefined,
      labels: { "pod-security.kubernetes.io/enforce": "restricted", ...labels },
    },
  });
const service = (selector: object) => object("Service", { spec: { selector } });
const budget = (matchLabels: object) =>
  object("PodDisruptionBudget", { spec: { maxUnavailable: 0, selector: { matchLabels } } });
const storage = {
  namespace: "team-a",
  browse: {
    proxy: { name: "files", namespace: "files", address: "192.0.2.9" },
    credentials: [{ user: "alice", password: "[secret]" }],
  },
};
const release = (type: string) => [
  ...here,
  {
    ...toChange({
      op: "read",
      urn: `urn:pulumi:stack::project::${type}::theirs`,
      newState: { type, urn: "", custom: true, inputs: {} } as never,
    }),
    ids: [undefined, "team-b/db"] as const,
  } as Change,
];
const ephemeral = (volume: string) =>
  object(
    "Pod",
    {
      spec: {
        ...restrictedPod,
        containers: [restrictedContainer],
        volumes: [
          {
            name: volume,
            ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: "1Gi" } } } } },
          },
        ],
      },
    },
    {},
    "dev1",
  );

areStopped(
  hidings`
  somebody's namespace by its name
    ${namespace("kubeflow")}
    1 pod-security-lowered: its namespace kubeflow is none of this stack's
    ${namespace("team-a")}
  a namespace's label that a webhook reads
    ${namespace("team-a", { "goldilocks.fairwinds.com/enabled": "true" })}
    1 pod-security-lowered: metadata.labels.goldilocks
    ${namespace("team-a", { tier: "dev" })}
  a pod by the label of its place in a StatefulSet
    ${service({ "statefulset.kubernetes.io/pod-name": "dev1-0" })}
    1 route-wall: it selects pods of a component
    ${service({ "statefulset.kubernetes.io/pod-name": "db-0" })}
  a pod by its number
    ${service({ "apps.kubernetes.io/pod-index": "0" })}
    1 route-wall: it selects pods of a component
    ${service({ "apps.kubernetes.io/pod-index": "0", app: "db" })}
  pods by the revision that Kubernetes gives them
    ${budget({ "controller-revision-hash": "dev1-5f" })}
    1 foreign-object: it selects pods of a component
    ${budget({ app: "db" })}
  a cloud's identity by a label
    ${object("Deployment", template({}, { labels: { app: "a", "azure.workload.identity/use": "true" } }))}
    1 pod-privileges: azure.workload.identity/use
    ${object("Deployment", template({}, { labels: { app: "a", "app.kubernetes.io/name": "a" } }))}
  a proxy that a label asks for
    ${object("Deployment", template({}, { labels: { app: "a", "sidecar.istio.io/inject": "true" } }))}
    1 pod-privileges: sidecar.istio.io/inject
    ${object("Deployment", template({}))}
  the values of a release
    ${release("kubernetes:helm.sh/v3:Release")}
    1 secret-taken: it reads the Release team-b/db
    ${release("kubernetes:core/v1:ConfigMap")}
  a home by a pod's own volume
    ${ephemeral("home")}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/dev1-home
    ${ephemeral("scratch")}
  an image as a volume
    ${object("Deployment", template({ volumes: [{ name: "v", image: { reference: "evil" } }] }))}
    1 pod-privileges: volumes[0].image
    ${object("Deployment", template({ volumes: [{ name: "v", emptyDir: {} }] }))}
  another's name in its hosts
    ${object("Deployment", template({ hostAliases: [{ ip: "192.0.2.1", hostnames: ["a"] }] }))}
    1 pod-privileges: hostAliases
    ${object("Deployment", template({ hostname: "a" }))}
  a port of the node
    ${object("Deployment", template({ containers: [{ ...restrictedContainer, ports: [{ containerPort: 80, hostPort: 80 }] }] }))}
    1 pod-privileges: hostPort
    ${object("Deployment", template({ containers: [{ ...restrictedContainer, ports: [{ containerPort: 80 }] }] }))}
  a node by its name
    ${object("Deployment", template({ nodeName: "control-plane" }))}
    1 pod-privileges: nodeName
    ${object("Deployment", template({ nodeSelector: { pool: "large" } }))}
  a container that is put in later
    ${object("Deployment", template({ ephemeralContainers: [{ name: "d", targetContainerName: "a" }] }))}
    1 pod-privileges: ephemeralContainers
    ${object("Deployment", template({ initContainers: [{ ...restrictedContainer, name: "d" }] }))}
  a cluster's tokens
    ${object("Secret", { type: "bootstrap.kubernetes.io/token" })}
    1 foreign-object: type "bootstrap.kubernetes.io/token"
    ${object("Secret", { type: "Opaque" })}
  a name that the API server makes
    ${object("ConfigMap", { metadata: { generateName: "dev1-" } })}
    1 foreign-object: metadata.generateName
    ${object("ConfigMap", {})}
  a finalizer
    ${object("ConfigMap", { metadata: { finalizers: ["a/b"] } })}
    1 foreign-object: metadata.finalizers
    ${object("ConfigMap", { metadata: { labels: { app: "a" } } })}
  others' fields by force
    ${object("ConfigMap", { metadata: { annotations: { "pulumi.com/patchForce": "true" } } })}
    1 foreign-object: metadata.annotations.pulumi.com/patchForce
    ${object("ConfigMap", { metadata: { annotations: { "pulumi.com/skipAwait": "true" } } })}
  a Service beyond the cluster
    ${object("Service", { spec: { selector: { app: "a" }, externalIPs: ["192.0.2.7"] } })}
    1 route-wall: spec.externalIPs
    ${service({ app: "a" })}
  a home as a storage
    ${[...here, ...edited("StorageAccessor", "models", undefined, { ...storage, claimName: "dev1-home" })]}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/dev1-home
    ${[...here, ...edited("StorageAccessor", "models", undefined, storage)]}
`,
  bounds,
);
