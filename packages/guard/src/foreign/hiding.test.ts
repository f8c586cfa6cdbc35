/** Foreign objects that hide what they are, or reach what is a component's: each is stopped; its daily twin passes. */
import { trialsOf } from "../../../../scripts/lib/trials/index.ts";
import {
  areStopped,
  container,
  type Hiding,
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
      spec: {
        ...restrictedPod,
        containers: [restrictedContainer],
        volumes: [{ name: "v", ...volume }],
      },
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
const hidings: Readonly<Record<string, Hiding>> = {
  "a claim that is named later": {
    hiding: beside("Deployment", undefined, mounts({ persistentVolumeClaim: { claimName: unknownText } })),
    ends: [2, "unknown-value", "persistentVolumeClaim.claimName, which is not known"],
    twin: beside("Deployment", undefined, mounts({ persistentVolumeClaim: { claimName: "data" } })),
  },
  "a name that comes later": {
    hiding: beside("ConfigMap", undefined, { metadata: { name: unknownText, namespace: "team-a" } }),
    ends: [2, "unknown-value", "metadata.name, which is not known"],
    twin: beside("ConfigMap", undefined, {}),
  },
  "another value where a danger was": {
    hiding: beside("Deployment", mounts({ hostPath: { path: "/a" } }), mounts({ hostPath: { path: "/" } })),
    ends: [1, "pod-privileges", "volumes[0].hostPath ("],
    twin: beside("Deployment", mounts({ hostPath: { path: "/a" } }), {
      ...mounts({ hostPath: { path: "/a" } }),
      metadata: { name: "mine", namespace: "team-a", annotations: { a: "b" } },
    }),
  },
  "a Secret that a tool copies elsewhere": {
    hiding: beside("Secret", undefined, annotated("reflector.v1.k8s.emberstack.com/reflection-auto-enabled")),
    ends: [
      1,
      "foreign-object",
      "metadata.annotations.reflector.v1.k8s.emberstack.com/reflection-auto-enabled (",
    ],
    twin: beside("Secret", undefined, annotated("owner")),
  },
  "a lower level than the low one": {
    hiding: beside("Namespace", level("baseline"), level("privileged")),
    ends: [1, "pod-security-lowered", 'which do not enforce "restricted"'],
    twin: beside("Namespace", level("privileged"), level("restricted")),
  },
  "a namespace that goes with its homes": {
    hiding: beside("Namespace", level("restricted"), undefined),
    ends: [1, "wall-removed", "every home and storage in it"],
    twin: beside("Namespace", level("restricted"), undefined, { retained: true }),
  },
  "a namespace that is made again": {
    hiding: beside("Namespace", {}, {}, { op: "replace" }),
    ends: [1, "volume-lost", "the namespace mine would be replaced"],
    twin: beside("Namespace", {}, {}),
  },
  "a pod that was and is hidden": {
    hiding: beside("Deployment", { spec: "[secret]" }, { spec: "[secret]" }),
    ends: [2, "unknown-value", "spec, which is not known"],
    twin: beside("Secret", { data: "[secret]" }, { data: "[secret]" }),
  },
  "a command that was and is hidden": {
    hiding: command("update"),
    ends: [2, "unknown-kind", "what a command:local:Command gives is not known"],
    twin: command("refresh"),
  },
  "a pod that passes for a gateway's": {
    hiding: [...gateways, ...inGateways({ istio: "ingressgateway" })],
    ends: [1, "pod-privileges", "its pods have the labels of SshGateway gw's, which walls let in"],
    twin: [...gateways, ...inGateways({ app: "mine" })],
  },
  "a container that passes for a gateway's": {
    hiding: [
      ...gateways,
      ...edited("DevContainer", "dev2", undefined, amongThem({ istio: "ingressgateway" })),
    ],
    ends: [1, "pod-privileges", "its pods have the labels of SshGateway gw's, which walls let in"],
    twin: [
      ...gateways,
      ...edited("DevContainer", "dev2", amongThem({ app: "mine" }), amongThem({ app: "mine", tier: "web" })),
    ],
  },
  ...passedFor,
  "a pod that leaves root to its image": {
    hiding: deployment({ securityContext: { seccompProfile: { type: "RuntimeDefault" } } }),
    ends: [1, "pod-privileges", 'container a, whose securityContext lacks "runAsNonRoot: true"'],
    twin: deployment(
      { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
      {
        ...restrictedContainer,
        securityContext: { ...restrictedContainer.securityContext, runAsNonRoot: true },
      },
    ),
  },
  "a pod without a securityContext": {
    hiding: deployment({ securityContext: undefined }, { name: "a", image: "a:1" }),
    ends: [
      1,
      "pod-privileges",
      'lacks "runAsNonRoot: true", "seccompProfile", "allowPrivilegeEscalation: false", "capabilities.drop: [ALL]"',
    ],
    twin: deployment({}),
  },
  "a pod whose container was without and has an init container now": {
    hiding: beside(
      "Deployment",
      { spec: { template: { spec: { ...restrictedPod, containers: [{ name: "a", image: "a:1" }] } } } },
      {
        spec: {
          template: {
            spec: {
              ...restrictedPod,
              initContainers: [{ name: "b", image: "b:1" }],
              containers: [{ name: "a", image: "a:1" }],
            },
          },
        },
      },
    ),
    ends: [1, "pod-privileges", "container b, whose"],
    twin: beside(
      "Deployment",
      { spec: { template: { spec: { ...restrictedPod, containers: [{ name: "a", image: "a:1" }] } } } },
      { spec: { template: { spec: { ...restrictedPod, containers: [{ name: "a", image: "a:2" }] } } } },
    ),
  },
  "an autoscaler of a container": {
    hiding: autoscaler("dev1"),
    ends: [1, "foreign-object", "it refers to apps/StatefulSet team-a/dev1"],
    twin: autoscaler("mine"),
  },
  "annotations that are hidden": {
    hiding: beside("ServiceAccount", undefined, described({ annotations: "[secret]" })),
    ends: [2, "unknown-value", "metadata.annotations, which is not known"],
    twin: beside("ServiceAccount", undefined, described({ annotations: { owner: unknownText } })),
  },
  "a probe that is hidden": {
    hiding: probed("[secret]"),
    ends: [2, "unknown-value", "livenessProbe, which is not known"],
    twin: probed({ httpGet: { port: 80 } }),
  },
  "a probe whose host is hidden": {
    hiding: probed({ httpGet: "[secret]" }),
    ends: [2, "unknown-value", "livenessProbe.httpGet, which is not known"],
    twin: probed({ tcpSocket: { port: 80 } }),
  },
  "an autoscaler that is hidden": {
    hiding: scaling("[secret]"),
    ends: [2, "unknown-value", "spec, which is not known"],
    twin: scaling({ maxReplicas: 2 }),
  },
  "an autoscaler of what comes later": {
    hiding: autoscaler(unknownText),
    ends: [2, "unknown-value", "spec.scaleTargetRef.name, which is not known"],
    twin: autoscaler("mine"),
  },
  "a field by the name of what every object has": {
    hiding: beside("ConfigMap", undefined, { constructor: [] }),
    ends: [1, "foreign-object", "it has constructor ("],
    twin: beside("ConfigMap", undefined, { data: { constructor: "a" } }),
  },
  // What is there already, and reaches what comes.
  "a home that is waited for": {
    hiding: waitingFor("dev1-home"),
    ends: [1, "pod-privileges", "it refers to core/PersistentVolumeClaim team-a/dev1-home"],
    twin: waitingFor("data"),
  },
  "a home that is waited for by what changes too": {
    hiding: waitingFor("dev1-home", "update"),
    ends: [1, "pod-privileges", "it refers to core/PersistentVolumeClaim team-a/dev1-home"],
    twin: waitingFor("data", "update"),
  },
  "a Service that waits for a container's pods": {
    hiding: stays("Service", { spec: { selector: { "app.kubernetes.io/instance": "dev1" } } }),
    ends: [1, "route-wall", "it selects pods of a component"],
    twin: stays("Service", { spec: { selector: { app: "mine" } } }),
  },
  // By names and options.
  "claims whose names begin that of a home": {
    hiding: claiming("StatefulSet", "de", "v1"),
    ends: [1, "pod-privileges", "it refers to core/PersistentVolumeClaim team-a/de-v1-home"],
    twin: claiming("StatefulSet", "data", "v1"),
  },
  "claims by the name of a home that was adopted": {
    hiding: [...adopted, ...claiming("StatefulSet", "data", "db")],
    ends: [1, "pod-privileges", "it refers to core/PersistentVolumeClaim team-a/data-db-0"],
    twin: [...adopted, ...claiming("StatefulSet", "data", "other")],
  },
  "a sandbox's claim by the name of a home": {
    hiding: claiming("Sandbox", "de", "v1-home"),
    ends: [1, "pod-privileges", "it refers to core/PersistentVolumeClaim team-a/de-v1-home"],
    twin: claiming("Sandbox", "de", "v"),
  },
  "a sandbox that goes with its claims": {
    hiding: beside("Sandbox", sandbox({}), undefined),
    ends: [1, "volume-lost", "each volume of mine would be deleted with its data"],
    twin: beside("Sandbox", sandbox({ volumeClaimTemplates: [] }), undefined),
  },
  "a sandbox that ends by itself": {
    hiding: beside("Sandbox", sandbox({}), sandbox({ shutdownPolicy: "Delete" })),
    ends: [1, "pod-privileges", 'spec.shutdownPolicy "Delete"'],
    twin: beside("Sandbox", sandbox({}), sandbox({ shutdownPolicy: "Retain" })),
  },
  "a budget for every pod": {
    hiding: budget({}),
    ends: [1, "foreign-object", "spec.selector, which selects more than by labels"],
    twin: budget({ matchLabels: { app: "mine" } }),
  },
  "a budget by an expression": {
    hiding: budget({
      matchLabels: { app: "mine" },
      matchExpressions: [{ key: "a", operator: "DoesNotExist" }],
    }),
    ends: [1, "foreign-object", "spec.selector, which selects more than by labels"],
    twin: budget(undefined),
  },
  "an old version of a level": {
    hiding: beside("Namespace", undefined, level("restricted", { [`${enforced}-version`]: "v1.0" })),
    ends: [1, "pod-security-lowered", `metadata.labels.${enforced}-version (`],
    twin: beside("Namespace", undefined, level("restricted", { [`${enforced}-version`]: "latest" })),
  },
  "a namespace of the cluster's": {
    hiding: beside("Namespace", undefined, level("restricted", {}, "kube-system")),
    ends: [1, "pod-security-lowered", "metadata.name, which is the cluster's own"],
    twin: beside("Namespace", undefined, level("restricted", {}, "kubeflow")),
  },
  // A component around it that is none.
  "a namespace by a component that makes nothing": {
    hiding: [...foreignIn("team-b"), pretender],
    ends: [1, "foreign-object", "its namespace team-b is none of this stack's"],
    twin: [...foreignIn("team-a"), pretender],
  },
  "a child that no argument asks for": {
    hiding: childOfOurs("team-b"),
    ends: [1, "foreign-object", "its namespace team-b is none of this stack's"],
    twin: childOfOurs("team-a"),
  },
};

areStopped(
  hidings,
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
