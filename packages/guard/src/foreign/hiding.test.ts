/** Foreign objects that hide what they are, or reach what is a component's: each is stopped; its daily twin passes. */
import { trialsOf } from "../../../../scripts/lib/trials/index.ts";
import {
  areStopped,
  container,
  type Hiding,
  hidings,
  restrictedContainer,
  restrictedPod,
} from "../attacks.fixture.ts";
import { parseBounds } from "../bounds.ts";
import type { Change } from "../change.ts";
import { change, edited } from "../sample.fixture.ts";
import { at, mapAt, unknownText } from "../values.ts";

/** A foreign object beside a container; new where nothing was before. */
const beside = (
  kind: string,
  was: object | undefined,
  is: object | undefined,
  fields: Partial<Change> = {},
) => {
  const all = (more: object | undefined) =>
    more && { metadata: { name: "mine", namespace: "team-a" }, ...more };
  const op = was === undefined ? "create" : is === undefined ? "delete" : "update";
  return [
    ...edited("DevContainer", "dev1", container, container),
    change(kind, "mine", { op, before: all(was), after: all(is), ...fields }),
  ];
};
const mounts = (volume: object) => ({
  spec: {
    template: {
      spec: { ...restrictedPod, containers: [restrictedContainer], volumes: [{ name: "v", ...volume }] },
    },
  },
});
const existing = {
  domain: "dev.example.com",
  existing: { namespace: "ingress", selector: { istio: "ingressgateway" }, address: "192.0.2.7" },
};
const gateways = edited("SshGateway", "gw", existing, existing);
const amongThem = (labels: object) => ({ ...container, namespace: "ingress", pod: { labels } });
const inGateways = (labels: object, namespace = "ingress") =>
  beside("Pod", undefined, {
    metadata: { name: "mine", namespace, labels },
    spec: { ...restrictedPod, containers: [restrictedContainer] },
  });
/** Pods with the labels by which a Service of the platform's finds its own, a case for each class. */
const passedFor = Object.fromEntries(
  (["SshGateway", "FrpServer", "EgressGateway", "StorageProxy"] as const).map((title) => {
    const { base } = trialsOf(title);
    const theirs = edited(title, "one", base("one"), base("one"));
    const [service] = theirs.filter(({ type }) => type === "kubernetes:core/v1:Service");
    const [namespace, labels] = [
      String(at(service?.after, "metadata", "namespace")),
      mapAt(service?.after, "spec", "selector"),
    ];
    const hiding: Hiding = {
      hiding: [...theirs, ...inGateways(labels, namespace)],
      ends: [1, "pod-privileges", `its pods have the labels of ${title} one's, which walls let in`],
      twin: [...theirs, ...inGateways({ app: "mine" }, namespace)],
    };
    return [`a pod that passes for those of ${title}`, hiding];
  }),
);
const enforced = "pod-security.kubernetes.io/enforce";
const level = (of: string, labels: object = {}, name = "mine") => ({
  metadata: { name, labels: { [enforced]: of, ...labels } },
});
const scaling = (spec: unknown) =>
  beside(
    "HorizontalPodAutoscaler",
    undefined,
    { spec },
    { type: "kubernetes:autoscaling/v2:HorizontalPodAutoscaler" },
  );
const autoscaler = (name: string) =>
  scaling({ scaleTargetRef: { apiVersion: "apps/v1", kind: "StatefulSet", name } });
const command = (op: string) =>
  beside("Command", { create: "[secret]" }, { create: "[secret]" }, { op, type: "command:local:Command" });
const deployment = (pod: object, own: object = restrictedContainer) =>
  beside("Deployment", undefined, {
    spec: { template: { spec: { ...restrictedPod, ...pod, containers: [own] } } },
  });
const described = (metadata: object) => ({ metadata: { name: "mine", namespace: "team-a", ...metadata } });
const annotated = (name: string) => described({ annotations: { [name]: "true" } });
const probed = (livenessProbe: unknown) =>
  deployment({}, { ...restrictedContainer, livenessProbe } as object);
const budget = (selector: unknown) => beside("PodDisruptionBudget", undefined, { spec: { selector } });
const own = edited("DevContainer", "dev1", undefined, container);
const stays = (kind: string, inputs: object, op = "same") =>
  beside(kind, inputs, inputs, { op }).map((one) => own.find(({ urn }) => urn === one.urn) ?? one);
const waitingFor = (claimName: string, op = "same") =>
  stays("Deployment", mounts({ persistentVolumeClaim: { claimName } }), op);
const template = { metadata: { name: "data" }, spec: { resources: { requests: { storage: "1Gi" } } } };
const claiming = (kind: string, claim: string, name: string) => {
  const spec = { ...restrictedPod, containers: [restrictedContainer] };
  const volumeClaimTemplates = [{ ...template, metadata: { name: claim } }];
  const inputs = {
    spec: { [kind === "Sandbox" ? "podTemplate" : "template"]: { spec }, volumeClaimTemplates },
  };
  return [
    ...edited("DevContainer", "de-v1", container, container),
    ...beside(kind, undefined, { metadata: { name, namespace: "team-a" }, ...inputs }).slice(-1),
  ];
};
const adopting = { ...container, home: { claimName: "data-db-0" } };
const adopted = edited("DevContainer", "dev1", adopting, adopting);
const sandbox = (more: object) => ({
  spec: {
    podTemplate: { spec: { ...restrictedPod, containers: [restrictedContainer] } },
    volumeClaimTemplates: [template],
    ...more,
  },
});
const foreignIn = (namespace: string) =>
  beside("ConfigMap", undefined, { metadata: { name: "mine", namespace } });
const childOf = (one: Change): Change => {
  const component = { type: "drawbridge:index:DevContainer", name: "dev1" };
  return { ...one, parent: `urn:pulumi:stack::project::${component.type}::dev1`, component };
};
const childOfOurs = (namespace: string) =>
  foreignIn(namespace).map((one) => (one.name === "mine" ? childOf(one) : one));
const pretender = childOf(
  change("Anything", "fake", {
    op: "create",
    type: "example:index:Anything",
    before: undefined,
    after: { metadata: { namespace: "team-b" } },
    isCustom: false,
  }),
);
const all: Readonly<Record<string, Hiding>> = {
  ...hidings`
  a claim that is named later
    ${beside("Deployment", undefined, mounts({ persistentVolumeClaim: { claimName: unknownText } }))}
    2 unknown-value: persistentVolumeClaim.claimName, which is not known
    ${beside("Deployment", undefined, mounts({ persistentVolumeClaim: { claimName: "data" } }))}
  a name that comes later
    ${beside("ConfigMap", undefined, { metadata: { name: unknownText, namespace: "team-a" } })}
    2 unknown-value: metadata.name, which is not known
    ${beside("ConfigMap", undefined, {})}
  another value where a danger was
    ${beside("Deployment", mounts({ hostPath: { path: "/a" } }), mounts({ hostPath: { path: "/" } }))}
    1 pod-privileges: volumes[0].hostPath (
    ${beside("Deployment", mounts({ hostPath: { path: "/a" } }), { ...mounts({ hostPath: { path: "/a" } }), metadata: { name: "mine", namespace: "team-a", annotations: { a: "b" } } })}
  a Secret that a tool copies elsewhere
    ${beside("Secret", undefined, annotated("reflector.v1.k8s.emberstack.com/reflection-auto-enabled"))}
    1 foreign-object: metadata.annotations.reflector.v1.k8s.emberstack.com/reflection-auto-enabled (
    ${beside("Secret", undefined, annotated("owner"))}
  a lower level than the low one
    ${beside("Namespace", level("baseline"), level("privileged"))}
    1 pod-security-lowered: which do not enforce "restricted"
    ${beside("Namespace", level("privileged"), level("restricted"))}
  a namespace that goes with its homes
    ${beside("Namespace", level("restricted"), undefined)}
    1 wall-removed: every home and storage in it
    ${beside("Namespace", level("restricted"), undefined, { retained: true })}
  a namespace that is made again
    ${beside("Namespace", {}, {}, { op: "replace" })}
    1 volume-lost: the namespace mine would be replaced
    ${beside("Namespace", {}, {})}
  a pod that was and is hidden
    ${beside("Deployment", { spec: "[secret]" }, { spec: "[secret]" })}
    2 unknown-value: spec, which is not known
    ${beside("Secret", { data: "[secret]" }, { data: "[secret]" })}
  a command that was and is hidden
    ${command("update")}
    2 unknown-kind: what a command:local:Command gives is not known
    ${command("refresh")}
  a pod that passes for a gateway's
    ${[...gateways, ...inGateways({ istio: "ingressgateway" })]}
    1 pod-privileges: its pods have the labels of SshGateway gw's, which walls let in
    ${[...gateways, ...inGateways({ app: "mine" })]}
  a container that passes for a gateway's
    ${[...gateways, ...edited("DevContainer", "dev2", undefined, amongThem({ istio: "ingressgateway" }))]}
    1 pod-privileges: its pods have the labels of SshGateway gw's, which walls let in
    ${[...gateways, ...edited("DevContainer", "dev2", amongThem({ app: "mine" }), amongThem({ app: "mine", tier: "web" }))]}
  a pod that leaves root to its image
    ${deployment({ securityContext: { seccompProfile: { type: "RuntimeDefault" } } })}
    1 pod-privileges: container a, whose securityContext lacks "runAsNonRoot: true"
    ${deployment({ securityContext: { seccompProfile: { type: "RuntimeDefault" } } }, { ...restrictedContainer, securityContext: { ...restrictedContainer.securityContext, runAsNonRoot: true } })}
  a pod without a securityContext
    ${deployment({ securityContext: undefined }, { name: "a", image: "a:1" })}
    1 pod-privileges: lacks "runAsNonRoot: true", "seccompProfile", "allowPrivilegeEscalation: false", "capabilities.drop: [ALL]"
    ${deployment({})}
  a pod whose container was without and has an init container now
    ${beside("Deployment", { spec: { template: { spec: { ...restrictedPod, containers: [{ name: "a", image: "a:1" }] } } } }, { spec: { template: { spec: { ...restrictedPod, initContainers: [{ name: "b", image: "b:1" }], containers: [{ name: "a", image: "a:1" }] } } } })}
    1 pod-privileges: container b, whose
    ${beside("Deployment", { spec: { template: { spec: { ...restrictedPod, containers: [{ name: "a", image: "a:1" }] } } } }, { spec: { template: { spec: { ...restrictedPod, containers: [{ name: "a", image: "a:2" }] } } } })}
  an autoscaler of a container
    ${autoscaler("dev1")}
    1 foreign-object: it refers to apps/StatefulSet team-a/dev1
    ${autoscaler("mine")}
  annotations that are hidden
    ${beside("ServiceAccount", undefined, described({ annotations: "[secret]" }))}
    2 unknown-value: metadata.annotations, which is not known
    ${beside("ServiceAccount", undefined, described({ annotations: { owner: unknownText } }))}
  a probe that is hidden
    ${probed("[secret]")}
    2 unknown-value: livenessProbe, which is not known
    ${probed({ httpGet: { port: 80 } })}
  a probe whose host is hidden
    ${probed({ httpGet: "[secret]" })}
    2 unknown-value: livenessProbe.httpGet, which is not known
    ${probed({ tcpSocket: { port: 80 } })}
  an autoscaler that is hidden
    ${scaling("[secret]")}
    2 unknown-value: spec, which is not known
    ${scaling({ maxReplicas: 2 })}
  an autoscaler of what comes later
    ${autoscaler(unknownText)}
    2 unknown-value: spec.scaleTargetRef.name, which is not known
    ${autoscaler("mine")}
  a field by the name of what every object has
    ${beside("ConfigMap", undefined, { constructor: [] })}
    1 foreign-object: it has constructor (
    ${beside("ConfigMap", undefined, { data: { constructor: "a" } })}
  # What is there already, and reaches what comes.
  a home that is waited for
    ${waitingFor("dev1-home")}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/dev1-home
    ${waitingFor("data")}
  a home that is waited for by what changes too
    ${waitingFor("dev1-home", "update")}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/dev1-home
    ${waitingFor("data", "update")}
  a Service that waits for a container's pods
    ${stays("Service", { spec: { selector: { "app.kubernetes.io/instance": "dev1" } } })}
    1 route-wall: it selects pods of a component
    ${stays("Service", { spec: { selector: { app: "mine" } } })}
  # By names and options.
  claims whose names begin that of a home
    ${claiming("StatefulSet", "de", "v1")}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/de-v1-home
    ${claiming("StatefulSet", "data", "v1")}
  claims by the name of a home that was adopted
    ${[...adopted, ...claiming("StatefulSet", "data", "db")]}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/data-db-0
    ${[...adopted, ...claiming("StatefulSet", "data", "other")]}
  a sandbox's claim by the name of a home
    ${claiming("Sandbox", "de", "v1-home")}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/de-v1-home
    ${claiming("Sandbox", "de", "v")}
  a sandbox that goes with its claims
    ${beside("Sandbox", sandbox({}), undefined)}
    1 volume-lost: each volume of mine would be deleted with its data
    ${beside("Sandbox", sandbox({ volumeClaimTemplates: [] }), undefined)}
  a sandbox that ends by itself
    ${beside("Sandbox", sandbox({}), sandbox({ shutdownPolicy: "Delete" }))}
    1 pod-privileges: spec.shutdownPolicy "Delete"
    ${beside("Sandbox", sandbox({}), sandbox({ shutdownPolicy: "Retain" }))}
  a budget for every pod
    ${budget({})}
    1 foreign-object: spec.selector, which selects more than by labels
    ${budget({ matchLabels: { app: "mine" } })}
  a budget by an expression
    ${budget({ matchLabels: { app: "mine" }, matchExpressions: [{ key: "a", operator: "DoesNotExist" }] })}
    1 foreign-object: spec.selector, which selects more than by labels
    ${budget(undefined)}
  an old version of a level
    ${beside("Namespace", undefined, level("restricted", { [`${enforced}-version`]: "v1.0" }))}
    1 pod-security-lowered: metadata.labels.${enforced}-version (
    ${beside("Namespace", undefined, level("restricted", { [`${enforced}-version`]: "latest" }))}
  a namespace of the cluster's
    ${beside("Namespace", undefined, level("restricted", {}, "kube-system"))}
    1 pod-security-lowered: metadata.name, which is the cluster's own
    ${beside("Namespace", undefined, level("restricted", {}, "kubeflow"))}
  # A component around it that is none.
  a namespace by a component that makes nothing
    ${[...foreignIn("team-b"), pretender]}
    1 foreign-object: its namespace team-b is none of this stack's
    ${[...foreignIn("team-a"), pretender]}
  a child that no argument asks for
    ${childOfOurs("team-b")}
    1 foreign-object: its namespace team-b is none of this stack's
    ${childOfOurs("team-a")}
`,
  ...passedFor,
};

areStopped(
  all,
  parseBounds(
    {
      namespaces: {
        one: "stack",
        ingress: "stack",
        mine: "stack",
        kubeflow: "stack",
        "kube-system": "stack",
      },
    },
    "bounds",
  ),
);
