/** What leads elsewhere or takes more, by an argument or by another component's name: stopped, each beside its daily twin. */
import { alice, areStopped, container, dev, hidings } from "./attacks.fixture.ts";
import type { Change } from "./change.ts";
import { change, edited } from "./sample.fixture.ts";
import { unknownText } from "./values.ts";

const team = (before: Change["before"], after: Change["after"]) => edited("Team", "team-a", before, after);
const members = (namespace: string) =>
  edited("TeamMembers", "people", undefined, { namespace, viewers: { users: ["alice"] } });
const storage = { namespace: "team-a" };
const prepare = { image: "registry.example.com/fill:1", command: ["fill"] };
const stored = (before: object | undefined, after: object) =>
  edited("StorageAccessor", "m", before && { ...storage, ...before }, { ...storage, ...after });
const certManager = (more: Change["after"]) => edited("CertManager", "certs", undefined, more);

const gateway = edited("SshGateway", "gw", undefined, {
  domain: "dev.example.com",
  loadBalancer: { preset: "gke" },
});
const takenOver = team(undefined, {}).map((one) =>
  one.type.endsWith(":Namespace") ? { ...one, op: "same", before: one.after } : one,
);

const namespace = (op: string) => {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  return change("Namespace", "b", { op, before: undefined, after: { metadata: { name: "team-b", labels } } });
};

const external = { domain: "ssh.example.com", unverifiedTls: true };
const through = (serverAddr: string) => ({
  ...container,
  access: { frp: { token: "[secret]", address: "frps.example.com", external: { ...external, serverAddr } } },
});
const known = edited("DevContainer", "dev1", through("frps.example.com"), through("frps.example.com"));

/** A new container beside one that is there. */
const beside = (name: string, more: object) => [
  ...dev({}),
  ...edited("DevContainer", name, undefined, { ...container, ...more }),
];
const withProvider = (changes: readonly Change[], provider: string) =>
  changes.map((one) => (one.isCustom ? { ...one, provider } : one));

const both = { before: {}, after: { metadata: { name: "q", namespace: "team-a" } } };
const quota = (was: string, is: string) => {
  const of = (pods: string) => ({ metadata: both.after.metadata, spec: { hard: { pods } } });
  return [...dev({}), change("ResourceQuota", "q", { before: of(was), after: of(is) })];
};

const route = {
  namespace: "team-a",
  serviceName: "box",
  userName: "ubuntu",
  hostPublicKeys: [alice],
  access: container.access,
  networkPolicy: "allow-gateway",
  podLabels: { app: "box" },
};
const routed = (more: object) => edited("SshRoute", "box", route, { ...route, ...more });

const places = hidings`
  a route that moves, and takes the wall before its pods along
    ${routed({ namespace: "team-b" })}
    1 network-wall: namespace: team-a → team-b
    ${routed({ serviceName: "other" })}
  a container that moves to where this stack had nothing
    ${dev({ namespace: "team-b" })}
    1 cluster-rights: namespace: team-b, where this stack had nothing
    ${dev({ env: { STAGE: "test" } })}
  a team's quota that is raised
    ${team({ quota: { pods: "20" } }, { quota: { pods: "2k" } })}
    1 wall-removed: quota.pods: 20 → 2k
    ${team({ quota: { pods: "20" } }, { quota: { pods: "10", "requests.cpu": "16" } })}
  a team's quota that goes
    ${team({ quota: { "requests.cpu": "16" } }, {})}
    1 wall-removed: quota.requests.cpu: 16 → none
    ${team({ quota: { pods: "250" } }, {})}
  a default limit that is raised
    ${team({}, { quota: { "services.loadbalancers": "1" } })}
    1 wall-removed: quota.services.loadbalancers: 0 → 1
    ${team({}, { quota: { "services.loadbalancers": "0" } })}
  a limit of one container that is raised
    ${team({ limits: { max: { memory: "8Gi" } } }, { limits: { max: { memory: "64Gi" } } })}
    1 wall-removed: limits.max.memory: 8Gi → 64Gi
    ${team({ limits: { max: { memory: "8Gi" } } }, { limits: { max: { memory: "8192Mi", cpu: "4" } } })}
  a team's part of etcd that is raised
    ${team({}, { etcdSize: "1Gi" })}
    1 wall-removed: etcdSize: 512Mi → 1Gi
    ${team({}, { etcdSize: "256Mi" })}
  limits that go as a whole
    ${team({ limits: { max: { memory: "8Gi" } } }, {})}
    1 wall-removed: limits.max.memory: 8Gi → none
    ${team({}, { limits: { max: { memory: "8Gi" } } })}
  a foreign quota that is raised
    ${quota("20", "2000")}
    1 foreign-object: no component made this ResourceQuota
    ${quota("20", "20")}
  a chart of another repository
    ${certManager({ repository: "https://charts.example.com" })}
    1 cluster-rights: repository: none → https://charts.example.com
    ${certManager({ replicas: 2 })}
  an frps that nobody used before
    ${[...known, ...edited("DevContainer", "dev2", undefined, through("frps.example.net"))]}
    1 route-wall: come from the frps at frps.example.net
    ${[...known, ...edited("DevContainer", "dev2", undefined, through("frps.example.com"))]}
  another frps
    ${edited("DevContainer", "dev1", through("frps.example.com"), through("frps.example.net"))}
    1 route-wall: access.frp.external.serverAddr: ssh connections come from
    ${known}
  a preparation of files that are there
    ${stored({}, { prepare })}
    1 write-credential: prepare runs over the files of m
    ${stored(undefined, { prepare })}
  a preparation that runs again
    ${stored({ prepare }, { prepare: { ...prepare, revision: "2" } })}
    1 write-credential: prepare runs over the files of m
    ${stored({ prepare }, { prepare: { ...prepare, command: ["fill", "more"] } })}
  a preparation of a claim that was there
    ${stored(undefined, { prepare, claimName: "theirs" })}
    1 write-credential: prepare runs over the files of m
    ${stored(undefined, { claimName: "theirs" })}
  members of the mesh's own namespace
    ${[...dev({}), ...members("istio-system")]}
    1 cluster-rights: namespace: its people look into istio-system
    ${[...dev({}), ...members("team-a")]}
  members of a foreign namespace
    ${[...dev({}), ...members("team-b")]}
    1 cluster-rights: namespace: its people look into team-b
    ${[...edited("Team", "team-b", undefined, {}), ...members("team-b")]}
  members of a namespace into which a container comes
    ${[...beside("dev2", { namespace: "team-b" }), ...members("team-b")]}
    1 cluster-rights: namespace: its people look into team-b
    ${[...team(undefined, { namespace: "team-b" }), ...beside("dev2", { namespace: "team-b" }), ...members("team-b")]}
  members of a gateway's namespace
    ${[...dev({}), ...gateway, ...members("gw")]}
    1 cluster-rights: namespace: its people look into gw
    ${[...takenOver, ...members("team-a")]}
  members of a namespace that is known later
    ${[...dev({}), ...members(unknownText)]}
    2 unknown-value: namespace is not known
    ${[...dev({}), ...members("team-a")]}
  a container in another's namespace
    ${beside("dev2", { namespace: "team-b" })}
    1 cluster-rights: namespace: team-b, where this stack had nothing
    ${beside("dev2", { namespace: "team-a" })}
  a container in a namespace that is imported
    ${[...beside("dev2", { namespace: "team-b" }), namespace("import")]}
    1 cluster-rights: namespace: team-b, where this stack had nothing
    ${[...beside("dev2", { namespace: "team-b" }), ...team(undefined, { namespace: "team-b" })]}
  # By server-side apply Pulumi takes over one that is there.
  a container in a namespace that is said to be new
    ${[...beside("dev2", { namespace: "team-b" }), namespace("create")]}
    1 pod-security-lowered: its namespace team-b is none of this stack's
    ${[...beside("dev2", { namespace: "team-b" }), ...team(undefined, { namespace: "team-b" })]}
  a container in a namespace that is known later
    ${beside("dev2", { namespace: unknownText })}
    2 unknown-value: namespace is not known
    ${edited("DevContainer", "dev2", undefined, { ...container, namespace: "team-b" })}
  a team in another's namespace
    ${[...dev({}), ...team(undefined, { namespace: "team-b", createNamespace: false })]}
    1 cluster-rights: namespace: team-b, where this stack had nothing
    ${[...dev({}), ...team(undefined, { namespace: "team-b" })]}
  an frps that is known later
    ${[...known, ...edited("DevContainer", "dev2", undefined, through(unknownText))]}
    2 unknown-value: access.frp.external.serverAddr is not known
    ${[...known, ...edited("DevContainer", "dev2", undefined, through("frps.example.com"))]}
  a container by the name of another
    ${beside("dev2", { name: "dev1", authorizedKeys: [alice] })}
    1 foreign-change: its apps/StatefulSet team-a/dev1 is made by dev1 too
    ${beside("dev2", { authorizedKeys: [alice] })}
  a container by the name of another, made in the same cluster
    ${[...withProvider(edited("DevContainer", "one", undefined, { ...container, name: "dev1" }), "a"), ...withProvider(dev({}), "a")]}
    1 foreign-change: is made by dev1 too
    ${[...withProvider(edited("DevContainer", "one", undefined, { ...container, name: "dev1" }), "b"), ...withProvider(dev({}), "a")]}
  a wall that is asked for and left out
    ${stored({ prepare }, { prepare, browse: browse() }).filter(({ type, op }) => !(type.endsWith(":NetworkPolicy") && op === "create"))}
    1 foreign-change: is not made, which its arguments ask for
    ${stored({ prepare }, { prepare, browse: browse() })}
`;

function browse() {
  const proxy = { name: "files", namespace: "files", address: "192.0.2.9" };
  return { proxy, credentials: [{ user: "alice", password: "[secret]" }] };
}

areStopped(places);
