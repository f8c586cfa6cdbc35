/** What a preview does not show is someone's: whatever reaches for it is stopped, until it is said whose it is. */
import { describe, expect, it } from "vitest";
import {
  areStopped,
  container,
  type Hiding,
  hidings,
  injected,
  restrictedContainer,
  restrictedPod,
  teamA,
} from "./attacks.fixture.ts";
import { noBounds, parseBounds } from "./bounds.ts";
import type { Change } from "./change.ts";
import { judge } from "./guard.ts";
import { objectEffects } from "./judgement.ts";
import { objectPairs } from "./objects.ts";
import { change, edited, today, whole } from "./sample.fixture.ts";
import type { NamingStack } from "./stacks.ts";

// A platform's stack as it ships: the gateway, and a namespace for the team, whose containers are in a stack of their own.
const balancer = { loadBalancer: { preset: "generic" } };
const ingress = { domain: "dev.example.com", namespace: "ssh-ingress", ...balancer };
const platform = [...edited("SshGateway", "gw", ingress, ingress), ...edited("Team", "team-a", {}, {})];
const teamsStack: NamingStack = { ...teamA, stack: "team-a" };
const tools = parseBounds(
  { namespaces: { tools: "stack", "team-a": "team-a", "team-c": "team-c" }, platform: ["logs"] },
  "b",
);

const own = (kind: string, namespace: string, is: object, fields: Partial<Change> = {}) => {
  const after = { ...is, metadata: { name: "mine", namespace, ...at(is) } };
  return [...platform, change(kind, "mine", { op: "create", before: undefined, after, ...fields })];
};
const at = (is: object) => ("metadata" in is ? (is.metadata as object) : {});
const pod = (more: object = {}, inContainer: object = {}) => ({
  spec: { ...restrictedPod, containers: [{ ...restrictedContainer, ...inContainer }], ...more },
});
const workload = (more: object, inContainer?: object) => ({ spec: { template: pod(more, inContainer) } });
const volume = (of: object) => ({ volumes: [{ name: "v", ...of }] });
const called = (name: string) => ({ metadata: { name } });
const claim = { spec: { resources: { requests: { storage: "1Gi" } } } };
const scaling = (kind: string, more: object = {}) => ({
  is: { spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "StatefulSet", name: "dev1" }, ...more } },
  type: `kubernetes:autoscaling/v2:${kind}`,
});

/** Of the platform's own: fine in its namespace, and stopped in the team's. */
const objects: Readonly<Record<string, readonly [kind: string, is: object, fields?: Partial<Change>]>> = {
  "a pod that mounts a home": ["Pod", pod(volume({ persistentVolumeClaim: { claimName: "dev1-home" } }))],
  "a pod that mounts a host key": ["Pod", pod(volume({ secret: { secretName: "dev1-host-key" } }))],
  "keys of a container that is to come": ["ConfigMap", called("dev1-authorized-keys")],
  "a host key that is to come": ["Secret", { ...called("dev1-host-key"), data: "[secret]" }],
  "a home that is to come": ["PersistentVolumeClaim", { ...claim, ...called("dev1-home") }],
  "a Service of a container's pods": ["Service", { spec: { selector: { app: "dev1" } } }],
  "a budget for a container's pods": [
    "PodDisruptionBudget",
    { spec: { minAvailable: 1, selector: { matchLabels: { app: "dev1" } } } },
  ],
  "an autoscaler of a container": [
    "HorizontalPodAutoscaler",
    scaling("").is,
    { type: scaling("HorizontalPodAutoscaler").type },
  ],
  "a variable of a Secret": [
    "Deployment",
    workload({}, { env: [{ name: "K", valueFrom: { secretKeyRef: { name: "dev1-env", key: "K" } } }] }),
  ],
  "all variables of a Secret": [
    "Deployment",
    workload({}, { envFrom: [{ secretRef: { name: "dev1-env" } }] }),
  ],
  "a projected Secret": [
    "DaemonSet",
    workload(volume({ projected: { sources: [{ secret: { name: "dev1-host-key" } }] } })),
  ],
  "a Secret for pulling": ["Deployment", workload({ imagePullSecrets: [{ name: "registry" }] })],
  "an account of the team's": ["Deployment", workload({ serviceAccountName: "deployer" })],
  "claims by the names of templates": [
    "StatefulSet",
    {
      ...called("dev1"),
      spec: { template: pod(), volumeClaimTemplates: [{ metadata: { name: "home" }, ...claim }] },
    },
  ],
  "an account": ["ServiceAccount", { ...called("deployer"), imagePullSecrets: [{ name: "registry" }] }],
  "a Secret that is imported": ["Secret", called("dev1-host-key"), { op: "import" }],
};
areStopped(
  Object.fromEntries(
    Object.entries(objects).map(([name, [kind, is, fields]]): [string, Hiding] => [
      name,
      {
        hiding: own(kind, "team-a", is, fields),
        ends: [1, ruleOf(kind), "its namespace team-a is none of this stack's"],
        twin: own(kind, "tools", is, fields),
      },
    ]),
  ),
  tools,
  { stacks: [teamsStack] },
);

function ruleOf(kind: string): string {
  const rules: Readonly<Record<string, string>> = {
    Service: "route-wall",
    ServiceAccount: "cluster-rights",
    PersistentVolumeClaim: "volume-borrowed",
  };
  const others = ["ConfigMap", "Secret", "PodDisruptionBudget", "HorizontalPodAutoscaler"];
  return rules[kind] ?? (others.includes(kind) ? "foreign-object" : "pod-privileges");
}

// In a namespace of one's own as well: what reaches out of it, and onto nodes that all share.
const affinity = (term: object) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname", ...term }],
    },
  },
});
const inTools = (kind: string, is: object, fields?: Partial<Change>) => own(kind, "tools", is, fields);
const update = (kind: string, was: object, is: object) =>
  own(kind, "team-a", is, {
    op: "update",
    before: { metadata: { name: "mine", namespace: "team-a" }, ...was },
  });
const reaching = hidings`
  a pod on every node, those of the cluster too
    ${inTools("DaemonSet", workload({ tolerations: [{ operator: "Exists" }] }))}
    1 pod-privileges: tolerations[0], by which it comes to the cluster's own nodes
    ${inTools("DaemonSet", workload({ tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }] }))}
  a pod on nodes of the control plane
    ${inTools("Pod", pod({ tolerations: [{ key: "node-role.kubernetes.io/control-plane" }] }))}
    1 pod-privileges: tolerations[0], by which it comes to the cluster's own nodes
    ${inTools("Pod", pod({ tolerations: [{ key: "pool" }] }))}
  a pod before which others give way
    ${inTools("DaemonSet", workload({ priorityClassName: "system-node-critical" }))}
    1 pod-privileges: priorityClassName (
    ${inTools("DaemonSet", workload({}))}
  a pod that keeps a team's away
    ${inTools("Pod", pod(affinity({ namespaces: ["team-a"] })))}
    1 pod-privileges: its podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution is about pods of
    ${inTools("Pod", pod(affinity({ labelSelector: { matchLabels: { app: "mine" } } })))}
  a pod that keeps everybody's away
    ${inTools("Pod", pod(affinity({ namespaceSelector: {} })))}
    1 pod-privileges: is about pods of other namespaces
    ${inTools("Pod", pod(affinity({})))}
  an owner with which it goes
    ${inTools("Secret", { metadata: { ownerReferences: [{ kind: "Pod", name: "a" }] } })}
    1 foreign-object: metadata.ownerReferences (
    ${inTools("Secret", {})}
  a claim with another's data
    ${inTools("PersistentVolumeClaim", { spec: { ...claim.spec, dataSourceRef: { kind: "PersistentVolumeClaim", name: "dev1-home", namespace: "team-a" } } })}
    1 volume-borrowed: spec.dataSourceRef (
    ${inTools("PersistentVolumeClaim", claim)}
  a claim of another's volume
    ${inTools("PersistentVolumeClaim", { spec: { ...claim.spec, volumeName: "pv-1" } })}
    1 volume-borrowed: spec.volumeName (
    ${inTools("PersistentVolumeClaim", claim)}
  a home that a pod which is there mounts from now on
    ${update("Deployment", workload({}), workload(volume({ persistentVolumeClaim: { claimName: "dev1-home" } })))}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/dev1-home, which this preview does not
    ${update("Deployment", workload({}), workload({}, { image: "a:2" }))}
  pods that a Service which is there finds from now on
    ${update("Service", { spec: { selector: { app: "a" } } }, { spec: { selector: { app: "dev1" } } })}
    1 route-wall: its selector may find what is not shown
    ${update("Service", { spec: { selector: { app: "a" } } }, { spec: { selector: { app: "a" }, ports: [{ port: 80 }] } })}
  a child of files in YAML
    ${inFiles(own("ConfigMap", "team-a", {}))}
    1 foreign-object: its namespace team-a is none of this stack's
    ${inFiles(own("ConfigMap", "tools", {}))}
  a namespace of another stack's
    ${own("Namespace", "", { metadata: { name: "team-a", namespace: undefined } })}
    1 pod-security-lowered: its namespace team-a is none of this stack's
    ${own("Namespace", "", { metadata: { name: "tools", namespace: undefined } })}
  a pod beside the gateway
    ${own("Pod", "ssh-ingress", pod())}
    1 pod-privileges: its namespace ssh-ingress is none of this stack's
    ${own("Pod", "tools", pod())}
`;

function inFiles(changes: readonly Change[]): Change[] {
  const parent = "urn:pulumi:stack::project::kubernetes:yaml/v2:ConfigGroup::files";
  const component = { type: "kubernetes:yaml/v2:ConfigGroup", name: "files" };
  return changes.map((one) => (one.name === "mine" ? { ...one, parent, component } : one));
}
areStopped(reaching, tools, { stacks: [teamsStack] });

/** Not in a namespace of one's own either: they reach others by targets, selectors, subjects, hosts or the whole cluster. */
const kinds = [
  "autoscaling.k8s.io/v1:VerticalPodAutoscaler",
  "networking.k8s.io/v1:NetworkPolicy",
  "networking.k8s.io/v1:Ingress",
  "gateway.networking.k8s.io/v1:HTTPRoute",
  "gateway.networking.k8s.io/v1beta1:ReferenceGrant",
  "discovery.k8s.io/v1:EndpointSlice",
  "core/v1:Endpoints",
  "core/v1:PersistentVolume",
  "core/v1:ResourceQuota",
  "rbac.authorization.k8s.io/v1:Role",
  "rbac.authorization.k8s.io/v1:RoleBinding",
  "storage.k8s.io/v1:StorageClass",
  "scheduling.k8s.io/v1:PriorityClass",
  "admissionregistration.k8s.io/v1:ValidatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1:MutatingWebhookConfiguration",
  "networking.istio.io/v1:VirtualService",
  "networking.istio.io/v1:DestinationRule",
  "networking.istio.io/v1:Sidecar",
  "core/v1:ConfigMapPatch",
  "core/v1:SecretPatch",
  "apps/v1:StatefulSetPatch",
  "core/v1:ServicePatch",
  "helm.sh/v3:Release",
  "apiextensions.k8s.io/v1:CustomResourceDefinition",
  "example.com/v1:Thing",
];
describe.each(kinds)("%s", (token) => {
  const kind = token.split(":")[1] ?? "";
  const fields = { type: `kubernetes:${token}` };
  const is = { spec: { exportTo: ["*"] } };
  const code = (changes: readonly Change[]) => judge(whole(changes), [], today, tools, [], [teamsStack]).code;
  it("is stopped wherever it is", () => {
    expect(code(inTools(kind, is, fields))).not.toBe(0);
    expect(code(own(kind, "team-a", is, fields))).not.toBe(0);
  });
  it("stays where it is", () => {
    const after = { ...is, metadata: { name: "mine", namespace: "tools" } };
    expect(code(inTools(kind, is, { ...fields, op: "same", before: after }))).toBe(0);
  });
});

// By arguments: a stack with a container, of which nobody said that the namespace is its own.
const shown = ["Secret", "ConfigMap", "PersistentVolumeClaim", "ServiceAccount", "ResourceClaim"].map(
  (kind) => {
    const inputs = { metadata: { name: "mine", namespace: "team-a" } };
    return change(kind, "mine", { op: "same", before: inputs, after: inputs });
  },
);
const referring = (kind: string, base: object, by: (name: string) => object, title: string): Hiding => ({
  hiding: [...shown, ...edited(kind, "dev2", base as Change["before"], { ...base, ...by("dev1-x") })],
  ends: [
    1,
    "pod-privileges",
    `it refers to ${title.includes("/") ? title : `core/${title}`} team-a/dev1-x, which this preview does not show`,
  ],
  twin: [...shown, ...edited(kind, "dev2", base as Change["before"], { ...base, ...by("mine") })],
});
const inContainer = (by: (name: string) => object, title = "Secret") =>
  referring("DevContainer", container, by, title);
const beside = (name: string) => ({ name: "b", image: "b:1", envFrom: [{ secretRef: { name } }] });
const proxy = { name: "files", namespace: "files", address: "192.0.2.9" };
const storage = {
  namespace: "team-a",
  browse: { proxy, credentials: [{ user: "alice", password: "[secret]" }] },
};
const bornWith = ({ hiding, twin, ...ends }: Hiding): Hiding => {
  const anew = (changes: readonly Change[]) =>
    changes.flatMap((one): Change[] => {
      const isOwn = one.name.startsWith("dev2") || one.component?.name === "dev2";
      if (isOwn && one.after === undefined) return [];
      return [isOwn ? { ...one, op: "create", before: undefined } : one];
    });
  const dev1 = edited("DevContainer", "dev3", container, container);
  return { ...ends, hiding: [...dev1, ...anew(hiding)], twin: [...dev1, ...anew(twin)] };
};
const byArguments: Readonly<Record<string, Hiding>> = {
  envValueFrom: inContainer((name) => ({ envValueFrom: { K: { secretKeyRef: { name, key: "k" } } } })),
  "envValueFrom a ConfigMap": inContainer(
    (name) => ({ envValueFrom: { K: { configMapKeyRef: { name, key: "k" } } } }),
    "ConfigMap",
  ),
  envFrom: inContainer((name) => ({ envFrom: [{ secretRef: { name } }] })),
  "mounts of a Secret": inContainer((secretName) => ({ mounts: [{ secretName, mountPath: "/s" }] })),
  mounts: inContainer((claimName) => ({ mounts: [{ claimName, mountPath: "/m" }] }), "PersistentVolumeClaim"),
  volumes: inContainer((secretName) => ({ pod: { volumes: [{ name: "v", secret: { secretName } }] } })),
  "volumes, projected": inContainer((name) => ({
    pod: { volumes: [{ name: "v", projected: { sources: [{ secret: { name } }] } }] },
  })),
  imagePullSecrets: inContainer((name) => ({ pod: { imagePullSecrets: [name] } })),
  "serviceAccount.name": inContainer((name) => ({ serviceAccount: { name } }), "ServiceAccount"),
  sidecars: inContainer((name) => ({ pod: { sidecars: [beside(name)] } })),
  initContainers: inContainer((name) => ({ pod: { initContainers: [beside(name)] } })),
  "mounts of a storage": inContainer(
    (claimName) => ({
      mounts: [{ storage: { name: "models", namespace: "team-a", claimName }, mountPath: "/models" }],
    }),
    "PersistentVolumeClaim",
  ),
  "patches.workload": inContainer(
    (resourceClaimName) => ({
      patches: {
        workload: { spec: { template: { spec: { resourceClaims: [{ name: "r", resourceClaimName }] } } } },
      },
    }),
    "resource.k8s.io/ResourceClaim",
  ),
  "a storage's claimName": bornWith(
    referring("StorageAccessor", storage, (claimName) => ({ claimName }), "PersistentVolumeClaim"),
  ),
  "a new container's mounts": bornWith(
    inContainer((claimName) => ({ mounts: [{ claimName, mountPath: "/m" }] }), "PersistentVolumeClaim"),
  ),
  "home.claimName": bornWith(inContainer((claimName) => ({ home: { claimName } }), "PersistentVolumeClaim")),
};
areStopped(byArguments, noBounds, { stacks: [] });

describe("what an argument refers to is the team's own", () => {
  const refers = byArguments["mounts of a Secret"]?.hiding ?? [];
  const code = (bounds: object, stacks: readonly NamingStack[] = []) =>
    judge(whole(refers), [], today, parseBounds(bounds, "bounds"), [], stacks).code;
  it("where the bounds say so", () => {
    expect(code({ namespaces: ["team-a"] })).toBe(0);
    expect(code({ namespaces: { "team-a": "stack" } })).toBe(0);
    expect(code({ namespaces: { "team-a": "other" } })).toBe(1);
    expect(code({ namespaces: ["team-b"] })).toBe(1);
    expect(code({ namespaces: ["team-a"] }, [{ ...teamA, stack: "other" }])).toBe(1);
    expect(code({ namespaces: ["team-a"] }, [teamA, { ...teamA, stack: "other" }])).toBe(0);
  });
  it("where its stack's file alone says so, and the stack was there before", () => {
    const unread = { stack: "lost", platform: undefined, people: undefined };
    expect(code({}, [teamA])).toBe(0);
    expect(code({}, [teamA, { ...teamA, stack: "other" }])).toBe(1);
    expect(code({}, [{ ...teamA, stack: "other" }])).toBe(1);
    expect(code({}, [teamA, unread])).toBe(1);
    expect(code({ namespaces: { "team-a": "other" } }, [teamA])).toBe(1);
    const anew = byArguments["a new container's mounts"]?.hiding.filter(({ op }) => op === "create") ?? [];
    expect(judge(whole(anew), [], today, noBounds, [], [teamA]).code).toBe(1);
  });
});

it("is not shown by a component that has the type of an object, or by one that is only read", () => {
  const taking = byArguments["mounts of a Secret"]?.hiding ?? [];
  const inputs = { metadata: { name: "dev1-x", namespace: "team-a" } };
  const secret = change("Secret", "dev1-x", { op: "same", before: inputs, after: inputs });
  const code = (one: Change) => judge(whole([one, ...taking]), [], today, noBounds).code;
  expect(code(secret)).toBe(0);
  expect(code({ ...secret, isCustom: false })).toBe(1);
  expect(code({ ...secret, op: "read" })).toBe(1);
});

// Teams and the platform are never in one namespace.
const members = (namespace: string) =>
  edited("TeamMembers", "m", undefined, { namespace, viewers: { users: ["bob"] } });
const inPlace = (kind: string, args: object, namespace: string, name = "x") => [
  ...platform,
  ...edited(kind, name, undefined, { ...args, namespace }),
];
const adopts = { createNamespace: false, deployers: { groups: ["team-b"] } };
const existing = {
  domain: "b.example.com",
  existing: { namespace: "edge", selector: { a: "b" }, address: "192.0.2.9" },
};
const edge = edited("SshGateway", "edge", existing, existing);
const neighbours = hidings`
  a team beside the gateway
    ${[...platform, ...edited("Team", "ssh-ingress", undefined, adopts)]}
    1 cluster-rights: namespace: ssh-ingress is the platform's, and a Team is a team's
    ${[...platform, ...edited("Team", "tools", undefined, adopts)]}
  a team beside a gateway that is new as well
    ${[...edited("SshGateway", "gw", undefined, ingress), ...edited("Team", "ssh-ingress", undefined, adopts)]}
    1 cluster-rights: namespace: ssh-ingress is the platform's
    ${[...edited("SshGateway", "gw", undefined, ingress), ...edited("Team", "tools", undefined, adopts)]}
  a team beside an older gateway
    ${[...edge, ...edited("Team", "edge", undefined, adopts)]}
    1 cluster-rights: namespace: edge is the platform's
    ${[...edge, ...edited("Team", "tools", undefined, adopts)]}
  a team where the bounds say that the platform is
    ${inPlace("Team", adopts, "logs")}
    1 cluster-rights: namespace: logs is the platform's
    ${inPlace("Team", adopts, "tools")}
  a team in the mesh's own
    ${inPlace("Team", adopts, "istio-system")}
    1 cluster-rights: namespace: istio-system is the platform's
    ${inPlace("Team", adopts, "tools")}
  a container beside the gateway
    ${inPlace("DevContainer", container, "ssh-ingress")}
    1 cluster-rights: namespace: ssh-ingress is the platform's, and a DevContainer is a team's
    ${inPlace("DevContainer", container, "tools")}
  an sshd beside the gateway
    ${inPlace("InjectedSshd", { ...injected, networkPolicy: "none" }, "ssh-ingress")}
    1 cluster-rights: namespace: ssh-ingress is the platform's
    ${inPlace("InjectedSshd", { ...injected, networkPolicy: "none" }, "tools")}
  a storage beside the gateway
    ${inPlace("StorageAccessor", {}, "ssh-ingress")}
    1 cluster-rights: namespace: ssh-ingress is the platform's
    ${inPlace("StorageAccessor", {}, "tools")}
  people who look into the gateway's namespace
    ${[...platform, ...members("ssh-ingress")]}
    1 cluster-rights: namespace: ssh-ingress is the platform's
    ${[...platform, ...members("team-a")]}
  a container of the platform's stack in a team's namespace
    ${inPlace("DevContainer", container, "team-a")}
    1 cluster-rights: namespace: team-a, where this stack had nothing but walls
    ${inPlace("DevContainer", container, "tools")}
  a team in a namespace that another stack has
    ${inPlace("Team", adopts, "team-c")}
    1 cluster-rights: namespace: team-c, where this stack had nothing
    ${[...platform, ...edited("Team", "team-c", undefined, { ...adopts, createNamespace: true })]}
  a gateway in a team's namespace
    ${inPlace("SshGateway", { ...balancer, domain: "c.example.com", createNamespace: false }, "team-a")}
    1 cluster-rights: namespace: team-a is a team's, and a SshGateway is the platform's
    ${inPlace("SshGateway", { ...balancer, domain: "c.example.com" }, "second-ingress")}
`;
areStopped(neighbours, tools, { stacks: [teamsStack] });

describe("the policy pack, which is told of no state, says the same of", () => {
  const created = (changes: readonly Change[]) =>
    changes.flatMap((one) => (one.after ? [{ ...one, op: "create" as const, before: undefined }] : []));
  const found = (changes: readonly Change[]) =>
    objectEffects(changes, objectPairs(changes), tools).filter(({ effect }) => "rule" in effect);
  // Neither what was there nor where the stack was.
  const isOfState = ({ hiding, ends: [, , says] }: Hiding) =>
    says.includes("this stack had nothing") ||
    hiding.some(({ name, op }) => name === "mine" && op === "update");
  const all = Object.entries({ ...reaching, ...neighbours }).filter(([, one]) => !isOfState(one));
  it.each(all)("%s", (_name, { hiding, ends: [, , says], twin }) => {
    expect(
      found(created(hiding))
        .map(({ effect }) => effect.text)
        .join("\n"),
    ).toContain(says);
    expect(found(created(twin))).toEqual([]);
  });
});
