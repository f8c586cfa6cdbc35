/** Foreign objects that hide what they are, or reach what is a component's: each is stopped; its daily twin passes. */
import {
  areStopped,
  container,
  type Hiding,
  restrictedContainer,
  restrictedPod,
} from "../attacks.fixture.ts";
import type { Change } from "../change.ts";
import { change, edited } from "../sample.fixture.ts";
import { unknownText } from "../values.ts";

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
const amongThem = (podLabels: object) => ({ ...container, namespace: "ingress", podLabels });
const inGateways = (labels: object) =>
  beside("Pod", undefined, {
    metadata: { name: "mine", namespace: "ingress", labels },
    spec: { ...restrictedPod, containers: [restrictedContainer] },
  });
const level = (name: string) => ({
  metadata: { name: "mine", labels: { "pod-security.kubernetes.io/enforce": name } },
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
    ends: [1, "pod-privileges", "its pods have the labels of a gateway's"],
    twin: [...gateways, ...inGateways({ app: "mine" })],
  },
  "a container that passes for a gateway's": {
    hiding: [
      ...gateways,
      ...edited("DevContainer", "dev2", undefined, amongThem({ istio: "ingressgateway" })),
    ],
    ends: [1, "pod-privileges", "its pods have the labels of a gateway's"],
    twin: [...gateways, ...edited("DevContainer", "dev2", undefined, amongThem({ app: "mine" }))],
  },
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
    twin: beside("ServiceAccount", undefined, described({ annotations: { owner: "[secret]" } })),
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
};

areStopped(hidings);
