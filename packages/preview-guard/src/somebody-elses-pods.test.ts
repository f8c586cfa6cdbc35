/** SSH to what somebody else makes: each attack on an InjectedSshd or an SshRoute is refused, its daily twin is not. */
import { describe, expect, it } from "vitest";
import { parseBounds } from "./access/bounds.ts";
import { judge } from "./guard.ts";
import type { Change } from "./preview.ts";
import { describeRunning } from "./running.ts";
import { change, whole } from "./sample.ts";

const alice = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
const bob = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB bob";
const injected = "InjectedSshd box";
const route = "SshRoute box";

type Objects = readonly [before: object | undefined, after: object | undefined];

function edit(kind: string, name: string, [before, after]: Objects, of?: string): Change {
  const op = before === undefined ? "create" : after === undefined ? "delete" : "update";
  const full = (inputs: object | undefined) =>
    inputs === undefined ? undefined : { metadata: { name, namespace: "team-a" }, ...inputs };
  return change(kind, name, {
    op,
    before: full(before),
    after: full(after),
    ...(of === undefined ? {} : { of }),
  });
}

const gone = (component: string): Change => {
  const [kind, name = ""] = component.split(" ");
  const type = `drawbridge:index:${kind}`;
  return {
    ...change("Component", name, { op: "delete", isCustom: false }),
    urn: component,
    type,
    after: undefined,
  };
};

const keys = (authorized_keys: string) => ({ data: { authorized_keys } });
const hostKey = (...lines: string[]) => ({
  metadata: {
    name: "box-host-key",
    namespace: "team-a",
    annotations: { "drawbridge.dev/public-keys": lines.join("\n") },
  },
});
const sshd = (line: string) => ({
  data: {
    sshd_config: `PasswordAuthentication ${line}
KbdInteractiveAuthentication no
PermitRootLogin no
AuthenticationMethods publickey
AuthorizedKeysFile /etc/drawbridge/authorized-keys/authorized_keys
UsePAM no
PermitUserEnvironment no
GatewayPorts no
PermitTunnel no
MaxStartups 100`,
  },
});
const leadsTo = (host: string, name = "box.team-a.dev.example.com") => ({
  spec: {
    hosts: [name],
    gateways: ["gateways/gw"],
    exportTo: ["gateways"],
    http: [
      {
        name: "ssh-connect",
        match: [{ authority: { regex: "[^:]+:22" } }],
        route: [{ destination: { host, port: { number: 22 } } }],
      },
    ],
  },
});

const label = { "drawbridge.dev/sshd": "box" };
const fromGateway = {
  from: [
    {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "gateways" } },
      podSelector: {
        matchLabels: { "app.kubernetes.io/component": "ssh-gateway", "app.kubernetes.io/instance": "gw" },
      },
    },
  ],
  ports: [{ port: 2222, protocol: "TCP" }],
};
const wall = (...ingress: object[]) => ({
  spec: { podSelector: { matchLabels: label }, policyTypes: ["Ingress"], ingress },
});
const otherPorts = {
  ports: [
    { protocol: "TCP", port: 1, endPort: 2221 },
    { protocol: "TCP", port: 2223, endPort: 65_535 },
  ],
};
const allow = wall(fromGateway);
const protect = wall(fromGateway, otherPorts);

const bundle = { name: "sshd-bundle", image: "a:1" };
const template = (labels: object, ...initContainers: object[]) => ({
  metadata: { labels: { app: "box", ...labels } },
  spec: {
    automountServiceAccountToken: false,
    initContainers,
    containers: [{ name: "app", image: "a:1" }],
  },
});
const workload = (one: object) => ({ spec: { selector: { matchLabels: { app: "box" } }, template: one } });
const sandbox = (one: object, further: object = {}) => ({ spec: { podTemplate: one, ...further } });
const plain = template({});
const withSshd = template(label, bundle);

const ofTeam = "Team team-a";
const host = (clusterIP: string | undefined = "None") => ({ spec: { clusterIP, ports: [{ port: 22 }] } });
const leadingTo = (address: string, port = 22, service = "vm1") => ({
  metadata: { name: "vm1", namespace: "team-a", labels: { "kubernetes.io/service-name": service } },
  addressType: "IPv4",
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [{ name: "tcp-ssh", port, protocol: "TCP" }],
});
const service = (objects: Objects, of?: string) => edit("Service", "vm1", objects, of);
const addresses = (objects: Objects, of = ofTeam) => edit("EndpointSlice", "vm1", objects, of);
const gatewayPods = { matchLabels: { "app.kubernetes.io/component": "ssh-gateway" } };
const egress = (...networks: string[]) => ({
  spec: {
    podSelector: gatewayPods,
    policyTypes: ["Egress"],
    egress: networks.map((cidr) => ({ to: [{ ipBlock: { cidr } }], ports: [{ port: 22, protocol: "TCP" }] })),
  },
});
const outwards = (objects: Objects) => edit("NetworkPolicy", "gw", objects, "SshGateway gw");

interface Attack {
  readonly attack: readonly Change[];
  readonly rules: readonly string[];
  readonly twin: readonly Change[];
}

const config = (objects: Objects, of = injected) => edit("ConfigMap", "box-sshd", objects, of);
const authorized = (objects: Objects) => edit("ConfigMap", "box-authorized-keys", objects, injected);
const secret = (objects: Objects) => edit("Secret", "box-host-key", objects, injected);
const network = (objects: Objects, of = injected) => edit("NetworkPolicy", "box-ssh", objects, of);
const virtual = (objects: Objects, of = route) => edit("VirtualService", "box-ssh", objects, of);
const deployment = (objects: Objects) => edit("Deployment", "box", objects);

const attacks: Readonly<Record<string, Attack>> = {
  "the last key removed": {
    attack: [authorized([keys(`${alice}\n`), keys("")])],
    rules: ["last-key-removed"],
    twin: [authorized([keys(`${alice}\n${bob}\n`), keys(`${alice}\n`)])],
  },
  "the keys deleted": {
    attack: [authorized([keys(alice), undefined])],
    rules: ["last-key-removed"],
    twin: [authorized([keys(alice), undefined]), gone(injected)],
  },
  "another host key": {
    attack: [secret([hostKey("a"), hostKey("b")])],
    rules: ["host-key-lost"],
    twin: [secret([hostKey("a", "b"), hostKey("b")])],
  },
  "passwords that let in": {
    attack: [config([sshd("no"), sshd("yes")])],
    rules: ["login-weakened"],
    twin: [config([sshd("no"), { data: { sshd_config: `${sshd("no").data.sshd_config}0` } }])],
  },
  "a route into another namespace": {
    attack: [virtual([leadsTo("legacy.team-a.svc.cluster.local"), leadsTo("db.team-b.svc.cluster.local")])],
    rules: ["route-wall"],
    twin: [virtual([leadsTo("legacy.team-a.svc.cluster.local"), leadsTo("other.team-a.svc.cluster.local")])],
  },
  "a new route into another namespace": {
    attack: [virtual([undefined, leadsTo("db.team-b.svc.cluster.local")])],
    rules: ["route-wall"],
    twin: [virtual([undefined, leadsTo("legacy.team-a.svc.cluster.local")])],
  },
  "a route outside of the cluster": {
    attack: [virtual([undefined, leadsTo("db.example.com")])],
    rules: ["route-wall"],
    twin: [virtual([leadsTo("db.example.com"), leadsTo("legacy.team-a.svc.cluster.local")])],
  },
  "a route in another's name": {
    attack: [virtual([undefined, leadsTo("legacy.team-a.svc.cluster.local", "box.team-b.dev.example.com")])],
    rules: ["route-wall"],
    twin: [virtual([undefined, leadsTo("legacy.team-a.svc.cluster.local")], injected)],
  },
  "networkPolicy from allow-gateway to only-gateway": {
    attack: [network([allow, protect])],
    rules: ["network-wall"],
    twin: [network([protect, allow])],
  },
  "networkPolicy from allow-gateway to none": {
    attack: [network([allow, undefined])],
    rules: ["network-wall"],
    twin: [network([undefined, allow])],
  },
  "networkPolicy only-gateway in a namespace that may deny all": {
    attack: [network([undefined, protect], route)],
    rules: ["network-wall"],
    twin: [network([undefined, allow], route)],
  },
  "an InjectedSshd removed, and its sshd left in the pods": {
    attack: [
      network([protect, undefined]),
      gone(injected),
      deployment([workload(withSshd), workload(template(label))]),
    ],
    rules: ["network-wall"],
    twin: [network([protect, undefined]), gone(injected), deployment([workload(withSshd), workload(plain)])],
  },
  "an InjectedSshd removed, and its pods in nobody's sight": {
    attack: [network([protect, undefined]), gone(injected)],
    rules: ["network-wall"],
    twin: [network([protect, undefined]), gone(injected), deployment([workload(withSshd), undefined])],
  },
  "a sshd without the label that its wall is by": {
    attack: [deployment([workload(withSshd), workload(template({}, bundle))])],
    rules: ["network-wall"],
    twin: [deployment([workload(withSshd), workload(plain)])],
  },
  "a new host outside of the cluster": {
    attack: [service([undefined, host()], ofTeam), addresses([undefined, leadingTo("10.20.0.5")])],
    rules: ["route-wall"],
    twin: [service([host(), undefined], ofTeam), addresses([leadingTo("10.20.0.5"), undefined])],
  },
  "a host outside at another address": {
    attack: [addresses([leadingTo("10.20.0.5"), leadingTo("10.20.0.6")])],
    rules: ["route-wall"],
    twin: [addresses([leadingTo("10.20.0.5"), { ...leadingTo("10.20.0.5"), addressType: "IPv4" }])],
  },
  "a host outside at another port": {
    attack: [addresses([leadingTo("10.20.0.5"), leadingTo("10.20.0.5", 5432)])],
    rules: ["route-wall"],
    twin: [addresses([leadingTo("10.20.0.5"), leadingTo("10.20.0.5")])],
  },
  "addresses given to another Service": {
    attack: [addresses([leadingTo("10.20.0.5"), leadingTo("10.20.0.5", 22, "db")])],
    rules: ["route-wall"],
    twin: [addresses([leadingTo("10.20.0.5"), leadingTo("10.20.0.5")])],
  },
  "a Service without a selector that nobody's slice is for": {
    attack: [service([undefined, host()], ofTeam)],
    rules: ["route-wall"],
    twin: [service([host(), host()], ofTeam)],
  },
  "a gateway that reaches one host more outside": {
    attack: [outwards([egress("10.20.0.5/32"), egress("10.20.0.5/32", "10.20.0.6/32")])],
    rules: ["network-wall"],
    twin: [outwards([egress("10.20.0.5/32", "10.20.0.6/32"), egress("10.20.0.5/32")])],
  },
  "a Sandbox with a folder of its node": {
    attack: [
      edit("Sandbox", "box", [
        sandbox(withSshd),
        sandbox({
          ...withSshd,
          spec: { ...withSshd.spec, volumes: [{ name: "a", hostPath: { path: "/" } }] },
        }),
      ]),
    ],
    rules: ["pod-privileges"],
    twin: [edit("Sandbox", "box", [sandbox(plain), sandbox(withSshd)])],
  },
  "a Sandbox with another's volume": {
    attack: [
      edit("Sandbox", "box", [
        undefined,
        sandbox(withSshd, {
          volumeClaimTemplates: [{ metadata: { name: "home" }, spec: { volumeName: "pv-7" } }],
        }),
      ]),
    ],
    rules: ["volume-borrowed"],
    twin: [
      edit("Sandbox", "box", [
        undefined,
        sandbox(withSshd, { volumeClaimTemplates: [{ metadata: { name: "home" }, spec: {} }] }),
      ]),
    ],
  },
};

const verdict = (changes: readonly Change[]) => judge(whole(changes), [], new Date("2026-06-15T12:00:00Z"));

describe("an attack", () => {
  it.each(Object.entries(attacks))("%s is refused, its daily twin is not", (_, { attack, rules, twin }) => {
    const { code, refused, unjudged } = verdict(attack);
    expect({ code, rules: refused.map(({ rule }) => rule), unjudged }).toEqual({
      code: 1,
      rules,
      unjudged: [],
    });
    const daily = verdict(twin);
    expect({ code: daily.code, refused: daily.refused, unjudged: daily.unjudged }).toEqual({
      code: 0,
      refused: [],
      unjudged: [],
    });
  });

  it("is none where the platform named the network of a host", () => {
    const changes = [
      service([undefined, host()], ofTeam),
      addresses([undefined, leadingTo("10.20.0.5")]),
      outwards([egress("10.20.0.4/32"), egress("10.20.0.4/32", "10.20.0.5/32")]),
    ];
    const bounds = parseBounds({ networks: ["10.20.0.0/24"] }, "bounds.yaml");
    const { code, access } = judge(whole(changes), [], new Date("2026-06-15T12:00:00Z"), bounds);
    expect([code, access.map(({ text }) => text)]).toEqual([
      0,
      ["Service vm1 leads to 10.20.0.5 at TCP 22", "it may reach 10.20.0.5/32 at TCP 22"],
    ]);
  });

  it("is told with what it opens", () => {
    const said = (changes: readonly Change[]) => verdict(changes).refused.map(({ text }) => text);
    expect(said([network([allow, protect])])).toEqual([
      "everybody at TCP 1-2221, TCP 2223-65535 may reach it",
    ]);
    // What all pods gain beyond everybody else is told apart, so that nobody accepts it along.
    const toPods = { from: [{ namespaceSelector: {} }], ports: [{ port: 2222 }] };
    expect(said([network([allow, wall(fromGateway, otherPorts, toPods)])])).toEqual([
      "pods with any label of namespaces with any label may reach TCP 1-2221, TCP 2223-65535, TCP 2222 of it",
      "everybody at TCP 1-2221, TCP 2223-65535 may reach it",
    ]);
    expect(said([network([allow, undefined])])).toEqual([
      "the wall before drawbridge.dev/sshd=box is taken down",
    ]);
    expect(said([virtual([undefined, leadsTo("db.team-b.svc.cluster.local")])])).toEqual([
      "box.team-a.dev.example.com leads to db.team-b.svc.cluster.local:22 through gateways/gw, which is no Service of namespace team-a",
    ]);
    expect(said([addresses([undefined, leadingTo("10.20.0.5")])])).toEqual([
      "Service vm1 leads to 10.20.0.5 at TCP 22",
    ]);
    expect(said([deployment([workload(withSshd), workload(template({}, bundle))])])).toEqual([
      "its pods lose the label drawbridge.dev/sshd=box, by which walls find them",
    ]);
  });
});

describe("what a preview does not show of a pod is not judged", () => {
  const unseen = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const container = withSshd.spec.containers[0];
  const inSpec = (spec: object) => workload({ ...withSshd, spec: { ...withSshd.spec, ...spec } });
  const inContainer = (fields: object) => inSpec({ containers: [{ ...container, ...fields }] });
  it.each<[string, object]>([
    ["spec", { spec: unseen }],
    ["template", workload(unseen as never)],
    ["template", workload("[secret]" as never)],
    ["template.metadata", workload({ ...withSshd, metadata: unseen })],
    [
      "template.metadata.annotations",
      workload({ ...withSshd, metadata: { ...withSshd.metadata, annotations: unseen } }),
    ],
    ["template.spec", workload({ ...withSshd, spec: unseen })],
    ["containers", inSpec({ containers: unseen })],
    ["initContainers[0]", inSpec({ initContainers: [unseen] })],
    ["containers[0].ports", inContainer({ ports: unseen })],
    ["containers[0].env[0]", inContainer({ env: [unseen] })],
    ["containers[0].env[0].valueFrom", inContainer({ env: [{ name: "A", valueFrom: unseen }] })],
    ["containers[0].envFrom", inContainer({ envFrom: unseen })],
  ])("%s", (path, after) => {
    const { code, unjudged } = verdict([deployment([workload(withSshd), after])]);
    const texts = unjudged.map(({ rule, text }) => `${rule}: ${text}`);
    expect(code).toBe(2);
    expect(texts).toContain(`unknown-value: ${path} is not known before \`pulumi up\`, or secret`);
  });

  it("where it decides on nothing, it may come later", () => {
    const later = inContainer({ command: unseen, args: [unseen], env: [{ name: "A", value: unseen }] });
    expect(verdict([deployment([workload(withSshd), later])]).code).toBe(0);
  });
});

it("a field of a Sandbox that nobody has thought of is not judged", () => {
  const { code, unjudged } = verdict([
    edit("Sandbox", "box", [undefined, sandbox(plain, { network: "host" })]),
  ]);
  expect([code, unjudged.map(({ rule, text }) => `${rule}: ${text}`)]).toEqual([
    2,
    ["unknown-field: spec.network is a field that this version does not know"],
  ]);
});

it("says which pods take a new template at once, and which do not", () => {
  const both = [plain, withSshd] as const;
  const statefulSet = edit("StatefulSet", "set", [workload(both[0]), workload(both[1])]);
  const changes = [
    deployment([workload(both[0]), workload(both[1])]),
    statefulSet,
    edit("Sandbox", "agent", [sandbox(both[0]), sandbox(both[1])]),
    edit("Sandbox", "new", [undefined, sandbox(both[1])]),
    edit("Sandbox", "same", [sandbox(both[1]), sandbox(both[1], { replicas: 0 })]),
  ];
  expect(describeRunning(changes)).toEqual([
    "pods that restart, homes kept: set",
    "pods that are replaced one by one: box",
    "pods that stay as they are until somebody deletes them: agent",
  ]);
});
