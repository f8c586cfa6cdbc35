/** Ways to widen access that once passed unseen: each is refused or not judged, beside a daily change that passes. */
import { describe, expect, it } from "vitest";
import { parseBounds } from "./access/bounds.ts";
import { judge } from "./guard.ts";
import type { Change } from "./preview.ts";
import { change, whole } from "./sample.ts";

const today = new Date("2026-06-15T12:00:00Z");
const alice = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const bob = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB bob";
const of = "DevContainer dev1";
const metadata = { name: "dev1", namespace: "team-a" };

type Objects = readonly [before: object | undefined, after: object | undefined];

/** One object that is made, changed or deleted, by what there is of it. */
function edit(kind: string, [before, after]: Objects, fields: Parameters<typeof change>[2] = {}): Change {
  const op = before === undefined ? "create" : after === undefined ? "delete" : "update";
  const full = (inputs: object | undefined) =>
    (inputs === undefined ? undefined : { metadata, ...inputs }) as never;
  return change(kind, "dev1", { op, of, before: full(before), after: full(after), ...fields });
}

const labels = { "app.kubernetes.io/component": "dev-container", "app.kubernetes.io/instance": "dev1" };
const inNamespace = (name: string) => ({ matchLabels: { "kubernetes.io/metadata.name": name } });
const gateway = {
  namespaceSelector: inNamespace("gw"),
  podSelector: {
    matchLabels: { "app.kubernetes.io/component": "ssh-gateway", "app.kubernetes.io/instance": "gw" },
  },
};
const wall = (ingress: object[], egress: object[] = []) => ({
  spec: { podSelector: { matchLabels: labels }, policyTypes: ["Ingress", "Egress"], ingress, egress },
});
const ssh = { from: [gateway], ports: [{ port: 22, protocol: "TCP" }] };
const to = (cidr: string, ...except: string[]) => ({ to: [{ ipBlock: { cidr, except } }] });
const role = (...rules: object[]) => ({ rules });
const pods = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };
const binding = (subjects: object[], name = "sshpod", kind = "Role") => ({
  roleRef: { kind, name },
  subjects,
});
const user = (name: string) => ({ kind: "User", name });
const account = (namespace: string) => ({ kind: "ServiceAccount", name: "ci", namespace });
const route = (host: string, service: string, match: object = {}) => ({
  spec: {
    hosts: [host],
    gateways: ["gw/gw"],
    exportTo: ["gw"],
    http: [
      {
        name: "ssh-connect",
        match: [{ authority: { regex: "[^:]+:22" }, ...match }],
        route: [{ destination: { host: service, port: { number: 22 } } }],
      },
    ],
  },
});
const own = "dev1.team-a.dev.example.com";
const service = "dev1.team-a.svc.cluster.local";
const certificate = (uris: string) => ({
  headers: { "x-forwarded-client-cert": { regex: `Hash=[0-9a-f]+;URI=(${uris})(;.*)?` } },
});
const pod = (spec: object, container: object = {}) => ({
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: "main", image: "a:1", ...container }],
        ...spec,
      },
    },
  },
});
const inside = (hostUsers: boolean, container: object = {}) =>
  pod({ hostUsers }, { securityContext: { allowPrivilegeEscalation: true }, ...container });
const engine = (hostUsers: boolean, container: object = {}) =>
  pod(
    { hostUsers },
    {
      securityContext: { allowPrivilegeEscalation: true, capabilities: { add: ["SYS_ADMIN"] } },
      ...container,
    },
  );
const balancer = (spec: object, annotations: object = {}) => ({
  metadata: { ...metadata, annotations },
  spec: { type: "LoadBalancer", selector: labels, ports: [{ port: 22 }], ...spec },
});
const keys = (data: object) => ({ data });
const namespace = (labels: object) => ({ metadata: { name: "team-a", labels } });
const restricted = { "pod-security.kubernetes.io/enforce": "restricted", "drawbridge.dev/team": "team-a" };
const policy = (...expressions: string[]) => ({
  spec: { failurePolicy: "Fail", validations: expressions.map((expression) => ({ expression })) },
});
const judging = (resources: string[], operations: string[] = []) => {
  const rule = { apiGroups: [""], apiVersions: ["*"], operations: ["UPDATE", ...operations], resources };
  return { spec: { ...policy("a").spec, matchConstraints: { resourceRules: [rule] } } };
};
const component = (kind: string, [before, after]: Objects): Change => ({
  ...edit(kind, [before, after], {}),
  type: `drawbridge:index:${kind}`,
  component: undefined,
  isCustom: false,
  before: before as never,
  after: after as never,
});
const writer = (write: boolean) => ({
  browse: { credentials: [{ user: "alice", password: "[secret]", write }] },
});
const readers = (...users: string[]) => ({
  browse: { credentials: users.map((user) => ({ user, password: "[secret]" })) },
});

interface Opening {
  readonly opening: readonly Change[];
  readonly ends: readonly [code: 1 | 2, ...rules: string[]];
  /** The same kind of work within the walls, and what is reported of it. */
  readonly twin: readonly Change[];
  readonly said: readonly string[];
}

const openings: Readonly<Record<string, Opening>> = {
  "a NetworkPolicy deleted": {
    opening: [edit("NetworkPolicy", [wall([ssh]), undefined])],
    ends: [1, "network-wall"],
    twin: [edit("NetworkPolicy", [wall([ssh]), undefined]), edit("StatefulSet", [pod({}), undefined])],
    said: [],
  },
  endPort: {
    opening: [
      edit("NetworkPolicy", [
        wall([ssh]),
        wall([
          { ...ssh, from: [{ namespaceSelector: inNamespace("b") }], ports: [{ port: 22, endPort: 65535 }] },
        ]),
      ]),
    ],
    ends: [1, "network-wall"],
    twin: [
      edit("NetworkPolicy", [
        wall([{ ...ssh, ports: [{ port: 22, endPort: 90 }] }]),
        wall([{ ...ssh, ports: [{ port: 22, endPort: 95 }] }]),
      ]),
    ],
    said: ["ssh-gateway gw of namespace gw may reach TCP 91-95 of it"],
  },
  "a `*` Role": {
    opening: [edit("Role", [role(pods), role({ apiGroups: ["*"], resources: ["*"], verbs: ["*"] })])],
    ends: [1, "cluster-rights"],
    twin: [edit("Role", [role(pods), role({ ...pods, verbs: ["get", "list"] })])],
    said: ["its holders may list pods in namespace team-a"],
  },
  "cluster-admin for a ServiceAccount": {
    opening: [
      edit("ClusterRoleBinding", [undefined, binding([account("team-a")], "cluster-admin", "ClusterRole")]),
    ],
    ends: [1, "cluster-rights"],
    twin: [edit("RoleBinding", [undefined, binding([account("team-a")], "view", "ClusterRole")])],
    said: ["ServiceAccount team-a/ci gains ClusterRole view"],
  },
  "a changed roleRef": {
    opening: [edit("RoleBinding", [binding([user("alice")]), binding([user("alice")], "deployer")])],
    ends: [2, "unknown-value"],
    twin: [edit("RoleBinding", [binding([user("alice")]), binding([user("alice"), user("bob")])])],
    said: ["User bob gains Role sshpod"],
  },
  "a changed roleRef to admin": {
    opening: [
      edit("RoleBinding", [binding([user("alice")]), binding([user("alice")], "admin", "ClusterRole")]),
    ],
    ends: [1, "cluster-rights"],
    twin: [edit("RoleBinding", [binding([user("alice")]), binding([user("alice")], "view", "ClusterRole")])],
    said: ["User alice gains ClusterRole view"],
  },
  "everybody in a RoleBinding": {
    opening: [
      edit("RoleBinding", [
        binding([user("alice")]),
        binding([user("alice"), { kind: "Group", name: "system:authenticated" }]),
      ]),
    ],
    ends: [1, "cluster-rights"],
    twin: [
      edit("RoleBinding", [
        binding([user("alice")]),
        binding([user("alice"), { kind: "Group", name: "team-a" }]),
      ]),
    ],
    said: ["Group team-a gains Role sshpod"],
  },
  "another namespace's ServiceAccount in a RoleBinding": {
    opening: [edit("RoleBinding", [binding([user("alice")]), binding([user("alice"), account("team-b")])])],
    ends: [1, "cluster-rights"],
    twin: [edit("RoleBinding", [binding([user("alice")]), binding([user("alice"), account("team-a")])])],
    said: ["ServiceAccount team-a/ci gains Role sshpod"],
  },
  "peers of another namespace": {
    opening: [
      edit("NetworkPolicy", [
        wall([ssh]),
        wall([ssh, { from: [{ namespaceSelector: inNamespace("team-b") }] }]),
      ]),
    ],
    ends: [1, "network-wall"],
    twin: [
      edit("NetworkPolicy", [
        wall([ssh]),
        wall([ssh, { from: [{ podSelector: { matchLabels: { app: "a" } } }] }]),
      ]),
    ],
    said: ["pods with app=a of its own namespace may reach every port of it"],
  },
  "a rule without peers": {
    opening: [edit("NetworkPolicy", [wall([ssh]), wall([ssh, {}])])],
    ends: [1, "network-wall"],
    twin: [edit("NetworkPolicy", [wall([ssh, {}]), wall([ssh])])],
    said: ["everybody"],
  },
  "egress no longer limited": {
    opening: [
      edit("NetworkPolicy", [wall([ssh]), { spec: { ...wall([ssh]).spec, policyTypes: ["Ingress"] } }]),
    ],
    ends: [1, "network-wall", "network-wall"],
    twin: [edit("NetworkPolicy", [wall([ssh]), wall([ssh], [to("203.0.113.0/24")])])],
    said: ["it may reach 203.0.113.0/24 at every port"],
  },
  "an exception taken out of egress": {
    opening: [
      edit("NetworkPolicy", [
        wall(
          [ssh],
          [
            to(
              "0.0.0.0/0",
              "10.0.0.0/8",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.168.0.0/16",
              "127.0.0.0/8",
              "100.64.0.0/10",
              "0.0.0.0/8",
            ),
          ],
        ),
        wall(
          [ssh],
          [
            to(
              "0.0.0.0/0",
              "10.0.0.0/9",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.168.0.0/16",
              "127.0.0.0/8",
              "100.64.0.0/10",
              "0.0.0.0/8",
            ),
          ],
        ),
      ]),
    ],
    ends: [1, "network-wall"],
    twin: [
      edit("NetworkPolicy", [
        wall([ssh], [to("8.0.0.0/8", "8.8.8.0/24")]),
        wall([ssh], [to("8.0.0.0/8", "8.8.8.8/32")]),
      ]),
    ],
    said: ["it may reach 8.8.8.0/29, 8.8.8.9/32, 8.8.8.10/31, 8.8.8.12/30 and 4 more ranges at every port"],
  },
  "a wall before other pods": {
    opening: [
      edit("NetworkPolicy", [
        wall([ssh]),
        { spec: { ...wall([ssh]).spec, podSelector: { matchLabels: { app: "nobody" } } } },
      ]),
    ],
    ends: [1, "network-wall"],
    twin: [
      edit("NetworkPolicy", [wall([ssh]), { ...wall([ssh]), metadata: { ...metadata, labels: { a: "b" } } }]),
    ],
    said: [],
  },
  "the host's network": {
    opening: [edit("StatefulSet", [pod({}), pod({ hostNetwork: true })])],
    ends: [1, "pod-privileges"],
    twin: [edit("StatefulSet", [pod({ hostNetwork: true }), pod({})])],
    said: ["no longer: its pod shares hostNetwork with the node"],
  },
  "a folder of the node": {
    opening: [edit("StatefulSet", [pod({}), pod({ volumes: [{ name: "r", hostPath: { path: "/" } }] })])],
    ends: [1, "pod-privileges"],
    twin: [edit("StatefulSet", [pod({}), pod({ volumes: [{ name: "r", emptyDir: {} }] })])],
    said: [],
  },
  "a privileged container": {
    opening: [edit("StatefulSet", [pod({}), pod({}, { securityContext: { privileged: true } })])],
    ends: [1, "pod-privileges"],
    twin: [edit("StatefulSet", [pod({}), pod({}, { image: "a:2" })])],
    said: [],
  },
  "root inside": {
    opening: [edit("StatefulSet", [pod({}), inside(false)])],
    ends: [1, "pod-privileges"],
    twin: [edit("StatefulSet", [inside(false), pod({})])],
    said: ["no longer: container main may be root inside, which is nobody on the node"],
  },
  "containers inside": {
    opening: [edit("StatefulSet", [inside(false), engine(false)])],
    ends: [1, "pod-privileges"],
    twin: [edit("StatefulSet", [engine(false), inside(false)])],
    said: ["no longer: container main has the capability SYS_ADMIN in its pod's own user namespace"],
  },
  "containers inside that become the node's": {
    opening: [edit("StatefulSet", [engine(false), engine(true)])],
    ends: [1, "pod-privileges", "pod-privileges"],
    twin: [edit("StatefulSet", [engine(false), engine(false, { image: "a:2" })])],
    said: [],
  },
  "root that becomes the node's": {
    opening: [edit("StatefulSet", [inside(false), inside(true)])],
    ends: [1, "pod-privileges"],
    twin: [edit("StatefulSet", [inside(false), inside(false, { image: "a:2" })])],
    said: [],
  },
  "a wider range of a LoadBalancer": {
    opening: [
      edit(
        "Service",
        [
          balancer({ loadBalancerSourceRanges: ["10.0.0.0/8"] }),
          balancer({ loadBalancerSourceRanges: ["10.0.0.0/7"] }),
        ],
        { of: "SshGateway gw" },
      ),
    ],
    ends: [1, "gateway-opened"],
    // Two halves are the whole.
    twin: [
      edit(
        "Service",
        [
          balancer({ loadBalancerSourceRanges: ["10.0.0.0/8"] }),
          balancer({ loadBalancerSourceRanges: ["10.0.0.0/9", "10.128.0.0/9"] }),
        ],
        { of: "SshGateway gw" },
      ),
    ],
    said: [],
  },
  "a Service that leads elsewhere": {
    opening: [
      edit("Service", [
        { spec: { clusterIP: "None", selector: labels } },
        { spec: { type: "ExternalName", externalName: "kubernetes.default" } },
      ]),
    ],
    ends: [1, "route-wall"],
    twin: [
      edit("Service", [
        { spec: { clusterIP: "None", selector: labels, ports: [] } },
        { spec: { clusterIP: "None", selector: labels, ports: [{ port: 8080 }] } },
      ]),
    ],
    said: [],
  },
  "a route to another namespace": {
    opening: [edit("VirtualService", [route(own, service), route(own, "dev1.team-b.svc.cluster.local")])],
    ends: [1, "route-wall"],
    twin: [edit("VirtualService", [undefined, route(own, service)])],
    said: [`${own} leads to ${service}:22 through gw/gw`],
  },
  "another team's name": {
    opening: [edit("VirtualService", [undefined, route("dev1.team-b.dev.example.com", service)])],
    ends: [1, "route-wall"],
    twin: [edit("VirtualService", [undefined, route("dev2.team-a.dev.example.com", service)])],
    said: [`dev2.team-a.dev.example.com leads to ${service}:22 through gw/gw`],
  },
  "Pod Security lowered": {
    opening: [
      edit("Namespace", [
        namespace(restricted),
        namespace({ ...restricted, "pod-security.kubernetes.io/enforce": "privileged" }),
      ]),
    ],
    ends: [1, "pod-security-lowered"],
    twin: [edit("Namespace", [namespace({}), namespace(restricted)])],
    said: ["it is marked as the team team-a"],
  },
  "the mark of a team taken off": {
    opening: [
      edit("Namespace", [
        namespace(restricted),
        namespace({ ...restricted, "drawbridge.dev/team": undefined }),
      ]),
    ],
    ends: [1, "pod-security-lowered"],
    twin: [edit("Namespace", [undefined, namespace(restricted)])],
    said: ["it is new"],
  },
  "`allowIdentities` removed": {
    opening: [
      edit("VirtualService", [
        route(own, service, certificate("spiffe://example.com/alice")),
        route(own, service),
      ]),
    ],
    ends: [1, "certificate-dropped"],
    twin: [
      edit("VirtualService", [
        route(own, service, certificate("spiffe://example.com/alice")),
        route(own, service, certificate("spiffe://example.com/alice|spiffe://example.com/bob")),
      ]),
    ],
    said: ["spiffe://example.com/bob may open it"],
  },
  "an identity of another trust domain": {
    opening: [
      edit("VirtualService", [
        route(own, service, certificate("spiffe://example.com/alice")),
        route(own, service, certificate("spiffe://example.com/alice|spiffe://evil.example/bob")),
      ]),
    ],
    ends: [1, "foreign-ca"],
    twin: [
      edit("VirtualService", [
        route(own, service),
        route(own, service, certificate("spiffe://example.com/alice")),
      ]),
    ],
    said: ["only who has a certificate of spiffe://example.com/alice may open it"],
  },
  "egress to metadata and 10/8": {
    opening: [
      edit("NetworkPolicy", [wall([ssh]), wall([ssh], [to("169.254.169.254/32"), to("10.0.0.0/8")])]),
    ],
    ends: [1, "network-wall"],
    twin: [
      edit("NetworkPolicy", [
        wall([ssh]),
        wall(
          [ssh],
          [{ to: [{ ipBlock: { cidr: "169.254.20.10/32" } }], ports: [{ port: 53, protocol: "UDP" }] }],
        ),
      ]),
    ],
    said: [],
  },
  "a foreign `userCa`": {
    opening: [
      edit("ConfigMap", [
        keys({ authorized_keys: alice }),
        keys({ authorized_keys: alice, user_ca_keys: bob, principals: "dev\n" }),
      ]),
    ],
    ends: [1, "foreign-ca"],
    twin: [
      edit("ConfigMap", [keys({ authorized_keys: alice }), keys({ authorized_keys: `${alice}\n${bob}` })]),
    ],
    said: ["the key SHA256:"],
  },
  "a key that signs": {
    opening: [
      edit("ConfigMap", [
        keys({ authorized_keys: alice }),
        keys({ authorized_keys: `${alice}\ncert-authority ${bob}` }),
      ]),
    ],
    ends: [1, "foreign-ca"],
    twin: [
      edit("ConfigMap", [
        keys({ authorized_keys: alice }),
        keys({ authorized_keys: `${alice}\nrestrict ${bob}` }),
      ]),
    ],
    said: ["limited by restrict"],
  },
  "`admissionPolicy: false`": {
    opening: [
      edit("ValidatingAdmissionPolicy", [policy("a"), undefined]),
      edit("ValidatingAdmissionPolicyBinding", [{ spec: {} }, undefined]),
    ],
    ends: [1, "wall-removed", "wall-removed"],
    twin: [edit("ValidatingAdmissionPolicy", [undefined, policy("a", "b")])],
    said: ["2 conditions must hold"],
  },
  "a condition of an admission policy dropped": {
    opening: [edit("ValidatingAdmissionPolicy", [policy("a", "b"), policy("a")])],
    ends: [1, "wall-removed"],
    twin: [edit("ValidatingAdmissionPolicy", [policy("a"), policy("a", "b")])],
    said: [],
  },
  "a kind that an admission policy judges no more": {
    opening: [edit("ValidatingAdmissionPolicy", [judging(["pods", "services"]), judging(["pods"])])],
    ends: [1, "wall-removed"],
    twin: [edit("ValidatingAdmissionPolicy", [judging(["pods"]), judging(["pods", "services"], ["DELETE"])])],
    said: [],
  },
  "an operation that an admission policy judges no more": {
    opening: [
      edit("ValidatingAdmissionPolicy", [judging(["pods"], ["CREATE", "DELETE"]), judging(["pods"])]),
    ],
    ends: [1, "wall-removed"],
    twin: [edit("ValidatingAdmissionPolicy", [judging(["pods"]), judging(["pods"], ["DELETE", "CREATE"])])],
    said: [],
  },
  "a rate limit dropped": {
    opening: [edit("EnvoyFilter", [{ spec: {} }, undefined], { of: undefined as never })],
    ends: [1, "wall-removed"],
    twin: [
      edit("EnvoyFilter", [undefined, { spec: { workloadSelector: { labels: { app: "gw" } } } }], {
        of: "SshGateway gw",
        isOwnerNew: true,
      }),
    ],
    said: ["EnvoyFilter is new"],
  },
  "a new write credential": {
    opening: [component("StorageAccessor", [writer(false), writer(true)])],
    ends: [1, "write-credential"],
    twin: [component("StorageAccessor", [readers("alice"), readers("alice", "bob")])],
    said: ["bob may read the files of dev1"],
  },
  "tokens of another issuer": {
    opening: [
      component("StorageAccessor", [
        { browse: { jwt: { issuer: "https://a", jwks: "{}", values: ["x"] } } },
        { browse: { jwt: { issuer: "https://b", jwks: "{}", values: ["x"] } } },
      ]),
    ],
    ends: [1, "foreign-ca"],
    twin: [
      component("StorageAccessor", [
        { browse: { jwt: { issuer: "https://a", jwks: "{}", values: ["x"] } } },
        { browse: { jwt: { issuer: "https://a", jwks: "{}", values: ["x", "y"] } } },
      ]),
    ],
    said: ["tokens of https://a with y open the files of dev1"],
  },
  "a mounted service-account token": {
    opening: [edit("StatefulSet", [pod({}), pod({ automountServiceAccountToken: true })])],
    ends: [1, "pod-privileges"],
    twin: [edit("StatefulSet", [pod({}), pod({ serviceAccountName: "data" })])],
    said: ["its pod is service account data, by which a cloud may know it"],
  },
  "a token in a Secret": {
    opening: [edit("Secret", [undefined, { type: "kubernetes.io/service-account-token" }])],
    ends: [1, "pod-privileges"],
    twin: [edit("Secret", [undefined, { type: "Opaque" }])],
    said: [],
  },
  "sshd that takes passwords": {
    opening: [
      edit("ConfigMap", [
        keys({ sshd_config: "PasswordAuthentication no\n" }),
        keys({ sshd_config: "PasswordAuthentication yes\n" }),
      ]),
    ],
    ends: [1, "login-weakened"],
    twin: [
      edit("ConfigMap", [
        keys({ sshd_config: "PasswordAuthentication no\nMaxSessions 10\n" }),
        keys({ sshd_config: "PasswordAuthentication no\nMaxSessions 20\n" }),
      ]),
    ],
    said: [],
  },
  "a kind that nobody has thought of": {
    opening: [edit("ServiceEntry", [undefined, { spec: { hosts: ["x"] } }])],
    ends: [2, "unknown-kind"],
    twin: [edit("PodDisruptionBudget", [undefined, { spec: {} }])],
    said: [],
  },
  "a kind in disguise": {
    opening: [
      edit("ConfigMap", [
        undefined,
        { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding" },
      ]),
    ],
    ends: [2, "unknown-kind"],
    twin: [edit("ConfigMap", [undefined, { apiVersion: "v1", kind: "ConfigMap", data: {} }])],
    said: [],
  },
  "a field that nobody has thought of": {
    opening: [edit("StatefulSet", [pod({}), pod({ hostWhatever: true })])],
    ends: [2, "unknown-field"],
    twin: [edit("StatefulSet", [pod({}), pod({ nodeSelector: { a: "b" } })])],
    said: [],
  },
  "a key that is not known at preview": {
    opening: [
      edit("ConfigMap", [
        keys({ authorized_keys: alice }),
        keys({ authorized_keys: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }),
      ]),
    ],
    ends: [2, "unknown-value", "unknown-value"],
    twin: [
      edit("ConfigMap", [keys({ startup: "a" }), keys({ startup: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" })], {
        of: undefined as never,
      }),
    ],
    said: [],
  },
  "a node's folder that is not known at preview": {
    opening: [
      edit("StatefulSet", [
        pod({}),
        pod({ volumes: [{ name: "x", hostPath: { path: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } }] }),
      ]),
    ],
    ends: [2, "pod-privileges", "unknown-value"],
    twin: [
      edit("StatefulSet", [
        pod({}),
        pod(
          {
            volumes: [
              {
                name: "models",
                persistentVolumeClaim: { claimName: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
              },
            ],
          },
          { volumeMounts: [{ name: "models", mountPath: "/models", readOnly: true }] },
        ),
      ]),
    ],
    said: ["its pod may read a claim of its namespace whose name is known at `pulumi up` (volume models)"],
  },
  "a subject that is secret": {
    opening: [edit("RoleBinding", [binding([user("alice")]), binding([user("[secret]")])])],
    ends: [2, "unknown-value"],
    twin: [edit("RoleBinding", [binding([user("alice"), user("bob")]), binding([user("alice")])])],
    said: ["User bob no longer has Role sshpod"],
  },
};

const annotated = (cidrs: string | undefined) => ({
  metadata: { name: "team-a", labels: restricted, annotations: { "drawbridge.dev/egress-allow": cidrs } },
});
const deny = { spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] } };
const deployer = role(
  { apiGroups: [""], resources: ["secrets", "services"], verbs: ["get", "create", "update", "delete"] },
  {
    apiGroups: ["rbac.authorization.k8s.io"],
    resources: ["roles", "rolebindings"],
    verbs: ["get", "create"],
  },
  {
    apiGroups: ["rbac.authorization.k8s.io"],
    resources: ["clusterroles"],
    resourceNames: ["view"],
    verbs: ["bind"],
  },
);
const none = { of: undefined as never };

const gatewayWith = (clientCa: string, replicas: number) => ({
  listeners: { tls: { clientCa } },
  replicas,
});

const more: Readonly<Record<string, Opening>> = {
  "a wall moved to another namespace": {
    opening: [
      edit("NetworkPolicy", [
        { ...wall([ssh]), metadata },
        { ...wall([ssh]), metadata: { ...metadata, namespace: "team-z" } },
      ]),
    ],
    ends: [1, "network-wall"],
    twin: [edit("NetworkPolicy", [wall([ssh]), wall([ssh])], { op: "replace" })],
    said: [],
  },
  "a new container without a wall": {
    opening: [
      edit("StatefulSet", [undefined, pod({})], { isOwnerNew: true }),
      edit("NetworkPolicy", [undefined, { spec: { ...wall([ssh]).spec, policyTypes: ["Ingress"] } }]),
    ],
    ends: [1, "network-wall"],
    twin: [
      edit("StatefulSet", [undefined, pod({})], { isOwnerNew: true }),
      edit("NetworkPolicy", [undefined, wall([ssh])]),
    ],
    said: ["ssh-gateway gw of namespace gw may reach TCP 22 of it"],
  },
  "another authority of client certificates": {
    opening: [component("SshGateway", [gatewayWith("a", 1), gatewayWith("b", 1)])],
    ends: [1, "foreign-ca"],
    twin: [component("SshGateway", [gatewayWith("a", 1), gatewayWith("a", 2)])],
    said: [],
  },
  "a certificate that is read otherwise": {
    opening: [
      edit("VirtualService", [
        route(own, service, certificate("spiffe://example.com/alice")),
        route(own, service, {
          headers: {
            "x-forwarded-client-cert": {
              regex: ".*|Hash=[0-9a-f]+;URI=(spiffe://example.com/alice)(;.*)?",
            },
          },
        }),
      ]),
    ],
    ends: [1, "certificate-dropped"],
    twin: [
      edit("VirtualService", [
        route(own, service, certificate("spiffe://example.com/alice|spiffe://example.com/bob")),
        route(own, service, certificate("spiffe://example.com/alice")),
      ]),
    ],
    said: ["spiffe://example.com/bob may no longer open it"],
  },
  "a namespace that is not known at preview": {
    opening: [
      edit("NetworkPolicy", [
        undefined,
        { ...wall([ssh]), metadata: { name: "dev1", namespace: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } },
      ]),
    ],
    ends: [2, "unknown-value"],
    twin: [edit("NetworkPolicy", [undefined, wall([ssh])])],
    said: ["ssh-gateway gw of namespace gw may reach TCP 22 of it"],
  },
  "a sysctl of the node": {
    opening: [
      edit("StatefulSet", [
        pod({}),
        pod({ securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } }),
      ]),
    ],
    ends: [1, "pod-privileges"],
    twin: [
      edit("StatefulSet", [
        pod({}),
        pod({ securityContext: { sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "22" }] } }),
      ]),
    ],
    said: [],
  },
  "a network without its address": {
    opening: [edit("NetworkPolicy", [wall([ssh]), wall([ssh], [{ to: [{ ipBlock: {} }] }])])],
    ends: [1, "network-wall"],
    twin: [edit("NetworkPolicy", [wall([ssh]), wall([ssh], [to("203.0.113.7/32")])])],
    said: ["it may reach 203.0.113.7/32 at every port"],
  },
  "a subject without a name": {
    opening: [edit("RoleBinding", [binding([user("alice")]), binding([user("alice"), { kind: "User" }])])],
    ends: [2, "unknown-value"],
    twin: [edit("RoleBinding", [binding([{ kind: "User" }]), binding([user("alice")])])],
    said: ["User alice gains Role sshpod"],
  },
  "rights that somebody only reads": {
    opening: [edit("ClusterRole", [undefined, role(pods)])],
    ends: [1, "cluster-rights"],
    twin: [edit("ClusterRole", [undefined, role(pods)], { op: "read" })],
    said: [],
  },
};

const platforms: Readonly<Record<string, Opening>> = {
  "a team's default wall removed": {
    opening: [edit("NetworkPolicy", [deny, undefined], none)],
    ends: [1, "network-wall"],
    twin: [edit("NetworkPolicy", [undefined, deny], none)],
    said: [],
  },
  "private networks for a whole team": {
    opening: [edit("Namespace", [annotated(undefined), annotated("10.1.0.0/16,fd00::/8")], none)],
    ends: [1, "network-wall"],
    twin: [edit("Namespace", [annotated("10.1.0.0/16,fd00::/8"), annotated("10.1.2.0/24")], none)],
    said: ["its pods may no longer be let out to 10.1.0.0/23"],
  },
  "a deployer who may bind any role": {
    opening: [
      edit(
        "Role",
        [
          deployer,
          role({ apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles"], verbs: ["bind"] }),
        ],
        none,
      ),
    ],
    ends: [1, "cluster-rights"],
    twin: [
      edit("Namespace", [undefined, annotated(undefined)], none),
      edit("Role", [undefined, deployer], none),
      edit("RoleBinding", [undefined, binding([user("ci-team-a")], "dev1")], none),
    ],
    said: [
      "its holders may bind rbac.authorization.k8s.io/clusterroles view",
      "User ci-team-a gains Role dev1",
    ],
  },
  "a gateway whose wall opens": {
    opening: [edit("NetworkPolicy", [wall([ssh]), wall([ssh, {}])], { of: "SshGateway gw" })],
    ends: [1, "network-wall"],
    twin: [
      edit(
        "NetworkPolicy",
        [undefined, wall([ssh], [{ to: [{ namespaceSelector: {}, podSelector: { matchLabels: labels } }] }])],
        {
          of: "SshGateway gw",
        },
      ),
    ],
    said: ["it may reach dev-container dev1 of namespaces with any label at every port"],
  },
};

const verdictOf = (changes: readonly Change[]) => judge(whole(changes), [], today);

describe("an opening", () => {
  it.each(Object.entries({ ...openings, ...platforms, ...more }))(
    "%s is not let through, its daily twin is and is reported",
    (_, one) => {
      const opened = verdictOf(one.opening);
      expect([opened.code, ...[...opened.refused, ...opened.unjudged].map(({ rule }) => rule)]).toEqual(
        one.ends,
      );
      const daily = verdictOf(one.twin);
      expect({ code: daily.code, refused: daily.refused, unjudged: daily.unjudged }).toEqual({
        code: 0,
        refused: [],
        unjudged: [],
      });
      const texts = daily.access.map(({ text }) => text);
      expect(one.said.filter((words) => !texts.some((text) => text.includes(words)))).toEqual([]);
      expect(texts.length === 0).toBe(one.said.length === 0);
    },
  );
});

describe("what the platform knows", () => {
  const print = "SHA256:";
  it("asks for a person behind each key, whatever its comment says", () => {
    const bounds = parseBounds({ people: { alice: [alice], carol: { keys: [] } } }, "bounds.yaml");
    const change = edit("ConfigMap", [
      keys({ authorized_keys: "" }),
      keys({ authorized_keys: `${alice}\n${bob.replace("bob", "alice")}` }),
    ]);
    const verdict = judge(whole([change]), [], today, bounds);
    expect(verdict.refused.map(({ rule, text }) => [rule, text.includes(print)])).toEqual([
      ["unnamed-key", true],
    ]);
    expect(verdict.access.map(({ text }) => text.split(",")[0])).toEqual(["alice"]);
  });

  it("lets a team move to certificates of an authority that it names", () => {
    const bounds = parseBounds({ userCas: [bob] }, "bounds.yaml");
    const change = edit("ConfigMap", [
      keys({ authorized_keys: alice }),
      keys({ authorized_keys: "", user_ca_keys: bob, principals: "dev\n" }),
    ]);
    expect(judge(whole([change]), [], today, bounds).code).toBe(0);
    const nobody = edit("ConfigMap", [
      keys({ authorized_keys: alice }),
      keys({ authorized_keys: "", user_ca_keys: bob, principals: "" }),
    ]);
    expect(judge(whole([nobody]), [], today, bounds).refused.map(({ rule }) => rule)).toEqual([
      "last-key-removed",
    ]);
  });

  it("lets containers reach the private networks that it names, and no more of them", () => {
    const bounds = parseBounds({ networks: ["10.20.0.0/16"] }, "bounds.yaml");
    const code = (cidr: string) =>
      judge(whole([edit("NetworkPolicy", [wall([ssh]), wall([ssh], [to(cidr)])])]), [], today, bounds).code;
    expect([code("10.20.3.0/24"), code("10.20.0.0/16"), code("10.20.0.0/15")]).toEqual([0, 0, 1]);
  });

  it("has one person behind a key", () => {
    expect(() => parseBounds({ people: { alice: [alice], carol: { keys: [alice] } } }, "b.yaml")).toThrow(
      /b\.yaml: 1 faults\n {2}- people\.carol: SHA256:\S+ belongs to alice as well/,
    );
  });

  it("names every fault of its file", () => {
    expect(() => parseBounds({ people: { a: ["x"] }, networks: ["10.0.0.0"], more: 1 }, "b.yaml")).toThrow(
      /b\.yaml: 3 faults/,
    );
  });
});
