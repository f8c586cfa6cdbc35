/** Ways to widen access: each is refused or not judged, with what opens and where; its daily twin passes. */
import { describe, expect, it } from "vitest";
import {
  alice,
  areStopped,
  bob,
  container,
  dev,
  gateway,
  type Hiding,
  hidings,
  injected,
  restrictedContainer,
  restrictedPod,
} from "./attacks.fixture.ts";
import { parseBounds } from "./bounds.ts";
import type { Change } from "./change.ts";
import { judge } from "./guard.ts";
import { change, edited, today, whole } from "./sample.fixture.ts";

const bounds = parseBounds(
  { people: { alice: [alice] }, networks: ["10.20.0.0/16"], namespaces: { mine: "stack" } },
  "bounds.yaml",
);

const mutual = { ...gateway, plainPort: undefined, tlsPort: 443, mutualTls: true };
const platform = { domain: "dev.example.com", loadBalancer: { preset: "gke" } };
const asked = (...allowIdentities: string[]) => ({ access: { gateway: mutual, allowIdentities } });
const proxy = { name: "files", namespace: "files", address: "192.0.2.9" };
const storage = (write: boolean) => ({
  namespace: "team-a",
  browse: { proxy, actions: ["upload"], credentials: [{ user: "alice", password: "[secret]", write }] },
});
const team = { namespace: "team-a", deployers: { groups: ["team-a"] } };
const idleIn = (namespace: string) => {
  const accounts = { cullerServiceAccountName: "c", activatorServiceAccountName: "a" };
  return { access: { gateway: { ...gateway, idle: { namespace, ...accounts, gpuMetrics: false } } } };
};
const newDev = (more: object) => edited("DevContainer", "dev1", undefined, { ...container, ...more });
const gw = (more: object, before: object = {}) =>
  edited("SshGateway", "gw", { ...platform, ...before }, { ...platform, ...before, ...more });
const files = (was: object | undefined, is: object) =>
  edited("StorageAccessor", "models", was as Change["before"], is as Change["after"]);
const ofTeam = (more: object, before: object = {}) =>
  edited("Team", "team-a", { ...team, ...before }, { ...team, ...before, ...more });

type Tree = Record<string, unknown>;

/** The same, with something else in one object than its component's arguments say. */
function otherwise(changes: Change[], kind: string, edit: (object: Tree) => Tree): Change[] {
  return changes.map((one) =>
    one.type.endsWith(`:${kind}`)
      ? { ...one, op: one.before ? "update" : "create", after: edit(one.after as Tree) }
      : one,
  );
}
const merged = (value: Tree, more: Tree): Tree => ({
  ...value,
  ...Object.fromEntries(
    Object.entries(more).map(([name, inner]) => [
      name,
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? merged((value[name] ?? {}) as Tree, inner as Tree)
        : inner,
    ]),
  ),
});
const put = (kind: string, more: Tree) => otherwise(dev({}), kind, (object) => merged(object, more));

/** An object that no component made, beside a container. */
const beside = (kind: string, inputs: object, fields: Partial<Change> = {}): Change[] => [
  ...dev({}),
  change(kind, "mine", {
    op: "create",
    before: undefined,
    after: { metadata: { name: "mine", namespace: "team-a" }, ...inputs },
    ...fields,
  }),
];
const pod = (spec: object, container: object = {}, metadata: object = {}) => ({
  spec: {
    template: {
      metadata: { labels: { app: "mine" }, ...metadata },
      spec: { ...restrictedPod, containers: [{ ...restrictedContainer, ...container }], ...spec },
    },
  },
});
const mounts = (volume: object) => pod({ volumes: [{ name: "v", ...volume }] });

const namespace = (level: string) => ({
  metadata: { name: "mine", labels: { "pod-security.kubernetes.io/enforce": level } },
});

const scratch = (annotations: object) => {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  return { name: "v", ephemeral: { volumeClaimTemplate: { metadata: { annotations }, spec } } };
};
const openings: Readonly<Record<string, Hiding>> = {
  ...hidings`
  a private network
    ${dev({ egress: { allow: [{ cidr: "10.0.0.0/9" }, { cidr: "10.128.0.0/9" }] } })}
    1 network-wall: egress.allow opens the private network
    ${dev({ egress: { allow: [{ cidr: "10.20.1.0/24" }, { cidr: "203.0.113.0/24" }] } })}
  a private network of a new container
    ${newDev({ egress: { allow: [{ cidr: "10.0.0.0/8" }] } })}
    1 network-wall: egress.allow opens the private network 10.
    ${newDev({ egress: { allow: [{ cidr: "10.20.0.0/16", ports: [443] }] } })}
  two halves that are the whole
    ${dev({ egress: { allow: [{ cidr: "10.0.0.0/9" }, { cidr: "10.128.0.0/9" }, { cidr: "11.0.0.0/8" }] } }, { egress: { allow: [{ cidr: "10.0.0.0/9" }] } })}
    1 network-wall: 10.128.0.0/9
    ${dev({ egress: { allow: [{ cidr: "10.0.0.0/9" }, { cidr: "10.128.0.0/9" }] } }, { egress: { allow: [{ cidr: "10.0.0.0/8" }] } })}
  pods of another namespace
    ${dev({ ingress: [{ namespace: "web", ports: [8080] }] })}
    1 network-wall: "namespace":"web"
    ${dev({ ingress: [{ podLabels: { app: "web" }, ports: [8080] }] })}
  another gateway
    ${dev({ access: { gateway: { ...gateway, selector: { app: "evil" } } } })}
    1 network-wall: access.gateway.selector
    ${newDev({})}
  another culler
    ${dev(idleIn("evil"), { ...idleIn("gw"), idle: {} })}
    1 cluster-rights: access.gateway.idle.namespace: gw → evil
    ${newDev({ ...idleIn("gw"), idle: {} })}
  a key of nobody
    ${dev({ authorizedKeys: [alice, bob] })}
    1 unnamed-key: ("bob") gains access to dev1
    ${newDev({})}
  a key that comes later
    ${dev({ authorizedKeys: [alice, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"] })}
    2 unknown-value: authorizedKeys has a key that is not known
    ${dev({ env: { STAGE: "test" } })}
  another authority
    ${dev({ ssh: { userCa: { keys: [bob], principals: ["dev"] } } })}
    1 foreign-ca: everyone with a certificate of the key
    ${dev({ ssh: { userCa: { keys: [bob], principals: ["dev", "ops"] } } }, { ssh: { userCa: { keys: [bob], principals: ["dev"] } } })}
  no client certificate any more
    ${dev({ access: { gateway: mutual } }, asked("spiffe://example.com/user/alice"))}
    1 certificate-dropped: no client certificate would be demanded any more
    ${dev(asked("spiffe://example.com/user/alice", "spiffe://example.com/user/bob"), asked("spiffe://example.com/user/alice"))}
  an identity of another trust domain
    ${dev(asked("spiffe://example.com/user/alice", "spiffe://evil.com/user/a"), asked("spiffe://example.com/user/alice"))}
    1 foreign-ca: spiffe://evil.com/user/a may open dev1
    ${dev(asked("spiffe://example.com/user/alice"), { access: { gateway: mutual } })}
  a token of the Kubernetes API
    ${dev({ serviceAccount: { token: true } })}
    1 pod-privileges: serviceAccount.token: false → true
    ${dev({ serviceAccount: { name: "data" } })}
  an identity in a cloud
    ${dev({ serviceAccount: { create: true, annotations: { "eks.amazonaws.com/role-arn": "arn" } } }, { serviceAccount: { create: true } })}
    1 cluster-rights: eks.amazonaws.com/role-arn: arn
    ${dev({ serviceAccount: { create: true } })}
  root inside
    ${dev({ root: true, team: { namespace: "team-a", root: true } })}
    1 pod-privileges: root: false → true
    ${dev({ team: { namespace: "team-a", root: true } })}
  AppArmor by an annotation
    ${dev({ pod: { annotations: { "container.apparmor.security.beta.kubernetes.io/dev": "unconfined" } } })}
    1 pod-privileges: unconfined
    ${dev({ pod: { annotations: { "cost-center": "4711" } } })}
  a role in a cloud by an annotation
    ${dev({ pod: { annotations: { "iam.amazonaws.com/role": "admin" } } })}
    1 pod-privileges: pod.annotations has iam.amazonaws.com/role: admin too
    ${dev({ pod: { annotations: { "prometheus.io/port": "9090" } } })}
  a host key that a tool copies into another namespace
    ${dev({ patches: { hostKey: { metadata: { annotations: { "replicator.v1.mittwald.de/replicate-to": "team-b" } } } } })}
    1 foreign-object: patches.hostKey has replicator.v1.mittwald.de/replicate-to: team-b too
    ${dev({ patches: { hostKey: { metadata: { annotations: { owner: "a" } } } } })}
  a patch that is hidden
    ${dev({ patches: { hostKey: { metadata: { annotations: "[secret]" } } } })}
    2 unknown-value: patches.hostKey is not known
    ${dev({ patches: { hostKey: { metadata: { labels: { owner: "a" } } } } })}
  a probe that asks another host
    ${dev({ pod: { sidecars: [{ name: "a", image: "a:1", livenessProbe: { httpGet: { host: "10.0.0.1", port: 80 } } }] } })}
    1 pod-privileges: the node would ask another host
    ${dev({ pod: { sidecars: [{ name: "a", image: "a:1", livenessProbe: { httpGet: { port: 80 } } }] } })}
  the gateway's name for a Service
    ${dev({ patches: { service: { metadata: { annotations: { "external-dns.alpha.kubernetes.io/hostname": "dev.example.com" } } } } })}
    1 gateway-opened: external-dns
    ${dev({ patches: { service: { metadata: { annotations: { a: "b" } } } } })}
  other data in a claim
    ${newDev({ patches: { home: { spec: { volumeName: "another" } } } })}
    1 volume-borrowed: patches.home
    ${newDev({ patches: { disruption: { spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" } } } })}
  other data by an annotation of a claim that comes with the pod
    ${newDev({ pod: { volumes: [scratch({ "cdi.kubevirt.io/storage.clone": "team-b/data" })] } })}
    1 volume-borrowed: it takes other data
    ${newDev({ pod: { volumes: [scratch({ owner: "a" })] } })}
  a driver's volume
    ${newDev({ pod: { volumes: [{ name: "v", csi: { driver: "csi.example.com" } }] } })}
    2 unknown-field: what this driver gives is not known
    ${newDev({ pod: { volumes: [{ name: "v", emptyDir: {} }] } })}
  everybody among the members
    ${edited("TeamMembers", "m", { namespace: "team-a", viewers: { groups: ["a"] } }, { namespace: "team-a", viewers: { groups: ["a", "system:authenticated"] } })}
    1 cluster-rights: that is not one person or team
    ${edited("TeamMembers", "m", { namespace: "team-a", viewers: { groups: ["a"] } }, { namespace: "team-a", viewers: { groups: ["a", "b"] } })}
  one more writer
    ${files(storage(false), storage(true))}
    1 write-credential: alice may write the files of models
    ${files(undefined, storage(true))}
  no admission policies
    ${gw({ admissionPolicy: false })}
    1 wall-removed: admissionPolicy: true → false
    ${gw({ replicas: 3 })}
  a gateway that everybody reaches
    ${gw({ loadBalancer: { preset: "gke", sourceRanges: ["10.0.0.0/8", "0.0.0.0/0"] } }, { loadBalancer: { preset: "gke", sourceRanges: ["10.0.0.0/8"] } })}
    1 gateway-opened: loadBalancer.sourceRanges opens
    ${gw({ loadBalancer: { preset: "gke", sourceRanges: ["10.0.0.0/9"] } }, { loadBalancer: { preset: "gke", sourceRanges: ["10.0.0.0/8"] } })}
  a public address
    ${gw({ loadBalancer: { preset: "gke", scope: "public" } })}
    1 gateway-opened: loadBalancer.scope: internal → public
    ${edited("SshGateway", "gw", undefined, { ...platform, loadBalancer: { preset: "gke", scope: "public" } })}
  a team's private networks
    ${ofTeam({ allowedPrivateNetworks: ["10.7.0.0/16"] })}
    1 network-wall: 10.7.0.0/16
    ${ofTeam({ allowedPrivateNetworks: ["10.20.7.0/24"] })}
  root for a team
    ${ofTeam({ root: {} })}
    1 pod-security-lowered: root: none → {}
    ${edited("Team", "team-a", undefined, { ...team, root: {} })}
  a deployer of another namespace
    ${ofTeam({ deployers: { serviceAccounts: [{ name: "ci", namespace: "build" }] } })}
    1 cluster-rights: the account belongs to another namespace
    ${ofTeam({ deployers: { groups: ["team-a", "more"] } })}
  policies that go
    ${edited("TeamPolicies", "teams", {}, undefined)}
    1 wall-removed: the TeamPolicies is removed
    ${edited("DevContainer", "dev1", container, undefined)}
  a wall around pods that stay
    ${edited("InjectedSshd", "box", injected, undefined)}
    1 network-wall: the wall before the pods of box is taken down
    ${edited("InjectedSshd", "box", { ...injected, networkPolicy: "none" }, undefined)}
  # What is not as the component's arguments say.
  a transform that opens a pod
    ${put("StatefulSet", { spec: { template: { spec: { hostPID: true } } } })}
    1 foreign-change: spec.template.spec.hostPID is not what the arguments of dev1 say
    ${put("StatefulSet", {})}
  an owner that is not there
    ${put("PersistentVolumeClaim", { metadata: { ownerReferences: [{ name: "a" }] } })}
    1 foreign-change: metadata.ownerReferences
    ${dev({ home: { size: "2Gi" } })}
  more keys in the ConfigMap
    ${put("ConfigMap", { binaryData: { authorized_keys: "AA==" } })}
    1 foreign-change: binaryData
    ${dev({ ssh: { loginGraceSeconds: 60 } })}
  a pod that is hidden
    ${otherwise(dev({}), "StatefulSet", (object) => ({ ...object, spec: "[secret]" }))}
    2 unknown-value: spec is hidden, and no argument of dev1 is
    ${dev({ secretEnv: { TOKEN: "[secret]" } })}
  a wall that a transform leaves open
    ${put("NetworkPolicy", { spec: { ingress: [{}] } })}
    1 foreign-change: spec.ingress.0.from
    ${dev({ egress: { internet: false } })}
  a wall that is not made
    ${newDev({}).filter(({ type }) => !type.endsWith(":NetworkPolicy"))}
    1 foreign-change: NetworkPolicy dev1-network is not made
    ${newDev({})}
  arguments that are not shown
    ${dev({ env: { A: "b" } }).filter(({ isCustom }) => isCustom)}
    2 unknown-value: take it with --show-sames
    ${dev({ env: { A: "b" } })}
  another provider
    ${dev({}).map((one) => ({ ...one, isProviderChanged: one.type.endsWith(":ConfigMap") }))}
    1 provider-changed: another provider has it
    ${dev({})}
  # What no component made.
  a policy that lets everybody in
    ${beside("NetworkPolicy", { spec: { podSelector: {}, ingress: [{}] } })}
    1 network-wall: no component made this NetworkPolicy
    ${beside("ConfigMap", { data: { a: "b" } })}
  a second AuthorizationPolicy
    ${beside("AuthorizationPolicy", { spec: { action: "ALLOW", rules: [{}] } })}
    1 gateway-opened: no component made this AuthorizationPolicy
    ${beside("PodDisruptionBudget", { spec: { maxUnavailable: 1 } })}
  a host's pod
    ${beside("Deployment", pod({ hostPID: true }))}
    1 pod-privileges: spec.template.spec.hostPID true
    ${beside("Deployment", pod({}))}
  a privileged container
    ${beside("Deployment", pod({}, { securityContext: { privileged: true } }))}
    1 pod-privileges: securityContext.privileged true
    ${beside("Deployment", pod({}, { securityContext: { ...restrictedContainer.securityContext, runAsNonRoot: true } }))}
  SELinux options
    ${beside("Deployment", pod({ securityContext: { seLinuxOptions: { type: "spc_t" } } }))}
    1 pod-privileges: seLinuxOptions
    ${beside("Deployment", pod({ securityContext: { ...restrictedPod.securityContext, runAsUser: 1000 } }))}
  a folder of the node
    ${beside("DaemonSet", mounts({ hostPath: { path: "/" } }))}
    1 pod-privileges: volumes[0].hostPath
    ${beside("DaemonSet", mounts({ emptyDir: {} }))}
  a token in a pod
    ${beside("Job", pod({ automountServiceAccountToken: undefined }))}
    1 pod-privileges: holds a token of the Kubernetes API
    ${beside("Job", pod({ serviceAccountName: "mine" }))}
  somebody's home in another pod
    ${beside("Deployment", mounts({ persistentVolumeClaim: { claimName: "dev1-home" } }))}
    1 pod-privileges: it refers to core/PersistentVolumeClaim team-a/dev1-home
    ${beside("Deployment", mounts({ persistentVolumeClaim: { claimName: "data" } }))}
  somebody's host key in another pod
    ${beside("Job", mounts({ secret: { secretName: "dev1-host-key" } }))}
    1 pod-privileges: it refers to core/Secret team-a/dev1-host-key
    ${beside("Job", mounts({ secret: { secretName: "mine" } }))}
  a pod in another namespace
    ${beside("Deployment", { ...pod({}), metadata: { name: "mine", namespace: "istio-system" } })}
    1 pod-privileges: its namespace istio-system is none of this stack's
    ${beside("Deployment", pod({}))}
  a ConfigMap of the cluster's
    ${beside("ConfigMap", { metadata: { name: "coredns", namespace: "kube-system" }, data: {} })}
    1 foreign-object: its namespace kube-system
    ${beside("ConfigMap", { data: {} })}
  an object with a component's name
    ${beside("Secret", { metadata: { name: "dev1-host-key", namespace: "team-a" }, data: "[secret]" })}
    1 foreign-object: a component has an object of this name
    ${beside("Secret", { data: "[secret]" })}
  a token that never expires
    ${beside("Secret", { type: "kubernetes.io/service-account-token" })}
    1 foreign-object: type "kubernetes.io/service-account-token"
    ${beside("Secret", { type: "Opaque" })}
  a Service of a component's pods
    ${beside("Service", { spec: { selector: { "app.kubernetes.io/instance": "dev1" }, ports: [{ port: 22 }] } })}
    1 route-wall: it selects pods of a component
    ${beside("Service", { spec: { selector: { app: "mine" }, ports: [{ port: 80 }] } })}
  a Service that leads anywhere
    ${beside("Service", { spec: { ports: [{ port: 22 }] } })}
    1 route-wall: has no selector
    ${beside("Service", { spec: { selector: { app: "mine" } } })}
  a door from outside
    ${beside("Service", { spec: { type: "NodePort", selector: { app: "mine" } } })}
    1 route-wall: spec.type "NodePort"
    ${beside("Service", { spec: { type: "ClusterIP", selector: { app: "mine" } } })}
  a right in the cluster
    ${beside("Role", { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] })}
    1 cluster-rights: no component made this Role
    ${beside("ServiceAccount", { automountServiceAccountToken: false })}
  a namespace of a lower level
    ${beside("Namespace", namespace("privileged"))}
    1 pod-security-lowered: which do not enforce "restricted"
    ${beside("Namespace", namespace("restricted"))}
  a claim that takes a volume
    ${beside("PersistentVolumeClaim", { spec: { volumeName: "another" } })}
    1 volume-borrowed: spec.volumeName
    ${beside("PersistentVolumeClaim", { spec: { resources: { requests: { storage: "1Gi" } } } })}
  a fake component's object
    ${beside("Thing", {}, { type: "drawbridge:index:Anything" })}
    2 unknown-kind: what a drawbridge:index:Anything gives is not known
    ${beside("ConfigMap", { data: {} })}
  another kind than it is registered as
    ${beside("ConfigMap", { apiVersion: "v1", kind: "Pod" })}
    2 unknown-kind: it says that it is a v1 Pod
    ${beside("ConfigMap", { apiVersion: "v1", kind: "ConfigMap" })}
  a foreign NetworkPolicy that goes
    ${[change("NetworkPolicy", "default-deny", { op: "delete", before: { spec: {} }, after: undefined })]}
    1 network-wall: this NetworkPolicy is removed
    ${[change("Role", "readers", { op: "delete", before: { rules: [] }, after: undefined })]}
`,
  "a template that is hidden": {
    hiding: beside("Deployment", { spec: { template: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } }),
    ends: [2, "unknown-value", "spec.template, which is not known before `pulumi up`"],
    twin: beside("Deployment", pod({})),
  },
};

areStopped(openings, bounds, { isAlone: true });

describe("what opens within the walls is told", () => {
  const was = { serviceAccount: { create: true } };
  const browse = (actions: string[]) => ({ ...storage(true), browse: { ...storage(true).browse, actions } });
  const servers = (more: object) => ({
    domain: "ssh.example.com",
    seed: "[secret]",
    authorizer: { image: "registry.example.com/programs:1" },
    egress: { apiServer: [] },
    loadBalancer: { preset: "gke" },
    ...more,
  });
  const shutOut = {
    containers: [{ namespace: "team-b", name: "dev1", tokenSha256: "a".repeat(64), revoked: true }],
  };
  const published = { exposeServerPort: true };
  it.each<[string, Change[], string[]]>([
    [
      "a container that is shut out no longer",
      edited("FrpServer", "frp", servers(shutOut), servers({})),
      ["containers.dev1.revoked: true → false"],
    ],
    [
      "another port for frpc on the LoadBalancer",
      edited("FrpServer", "frp", servers(published), servers({ ...published, serverPort: 7001 })),
      ["serverPort: 7000 → 7001"],
    ],
    [
      "an account of its own that goes",
      edited("DevContainer", "dev1", { ...container, ...was }, container),
      ["dev1 runs as the account default, no longer as dev1"],
    ],
    [
      "another account",
      dev({ serviceAccount: { name: "data" } }, { serviceAccount: { name: "jobs", create: true } }),
      ["dev1 runs as the account data, no longer as jobs"],
    ],
    [
      "who may put it to sleep",
      dev({ idle: { dryRun: true } }, idleIn("gw")),
      ["the gateway's accounts may stop and start dev1"],
    ],
    [
      "a port without a login",
      dev({ ports: [{ name: "web", port: 8080, primary: true }] }),
      ['ports.web: none → {"name":"web","port":8080,"primary":true}'],
    ],
    ["a port behind the login", dev({ ports: [{ name: "web", port: 8080 }] }), []],
    [
      "authorities of a ConfigMap",
      dev({ trustedCa: { configMapName: "company-ca" } }),
      ['trustedCa: none → {"configMapName":"company-ca"}'],
    ],
    [
      "where a new container comes, and what it takes",
      newDev({ home: { claimName: "a" }, hostKey: { seed: "[secret]", identity: "b/c" } }),
      [
        "namespace: team-a, where this stack had nothing",
        "hostKey.identity: b/c",
        "home.claimName: a",
        'the key SHA256:hWiiFCdFrWMlecdWRDRKs1WCY90fN1/6wqemuALhdmA ("alice") gains access to dev1',
      ],
    ],
    [
      "whose claim a new storage takes",
      files(undefined, { namespace: "team-a", claimName: "theirs" }),
      ["namespace: team-a, where this stack had nothing", "claimName: theirs"],
    ],
    [
      "what visitors may do",
      files(browse(["upload"]), browse(["upload", "delete"])),
      ["browse.actions has delete too"],
    ],
  ])("%s", (_, changes, gained) => {
    const { access } = judge(whole(changes), [], today);
    expect(access.flatMap(({ effect, text }) => (effect === "gains" ? [text] : []))).toEqual(gained);
  });
});
