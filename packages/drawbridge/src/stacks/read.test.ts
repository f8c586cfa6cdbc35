import { describe, expect, it } from "vitest";
import { parseDocument, stringify } from "yaml";
import { whatIsWrong } from "../kit/faults.fixture.ts";
import { Secret } from "../kit/secret.ts";
import { completeContainer } from "./complete.ts";
import { checkStackConfig } from "./read.ts";
import { type StackFile, stackFile } from "./stack-file.ts";
import type { Raw } from "./yaml.ts";

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";

/** A team that uses all outputs of a platform's stack, which are unknown here. */
const team = (access: object) => ({
  "drawbridge:team": {
    namespace: "team-a",
    platform: "platform",
    storages: {
      models: { size: "20Gi", browse: { credentials: [{ user: "alice", password: { secure: "v1:x" } }] } },
    },
    containerDefaults: { image: "registry.example.com/devcontainer:0.1.0", access },
    containers: {
      dev1: { authorizedKeys: [publicKey], mounts: [{ storage: "models", mountPath: "/models" }] },
    },
  },
});

/** A file without a text, and so without lines. */
const nowhere: StackFile = { keys: [], lineOf: () => undefined, config: undefined };

it("accepts unseen what a platform's stack will give out, and nothing else", async () => {
  expect(await checkStackConfig(team({ frp: {} }), nowhere)).toEqual([]);
  expect(await checkStackConfig(team({}), nowhere)).toEqual([]);
  const faults = await checkStackConfig(team({ frp: { server: { caBundle: "unknown" } } }), nowhere);
  expect(faults.map(({ message }) => message)).toEqual([
    "is not a CA bundle; use one or more PEM certificates, -----BEGIN CERTIFICATE----- …",
  ]);
});

describe("hosts by name in a team's file", () => {
  const file = (egress: object, more: object = {}) => {
    const { platform, containerDefaults, ...rest } = team({ sshpod: { groups: ["all"] } })["drawbridge:team"];
    return { "drawbridge:team": { ...rest, ...more, containerDefaults: { ...containerDefaults, egress } } };
  };
  const gateway = { name: "egress", namespace: "egress" };
  const hosts = { hosts: ["pypi.org"] };
  const without = { storages: {} };
  const said = async (config: object) =>
    (await checkStackConfig(config, nowhere)).map(({ path, message }) => `${path}: ${message}`);

  it("have the platform's egress gateway, or the file's", async () => {
    expect(await said(file(hosts, { platform: "platform" }))).toEqual([]);
    const own = { ...without, egressGateway: gateway };
    const dev1 = { authorizedKeys: [publicKey] };
    expect(await said(file(hosts, { ...own, containers: { dev1 } }))).toEqual([]);
    // A container without hosts has no part in it.
    expect(await said(file({ internet: false }, { ...own, containers: { dev1 } }))).toEqual([]);
    expect(await said(file(hosts, { ...without, containers: { dev1 } }))).toEqual([
      "drawbridge:team.containerDefaults.egress.gateway: is missing; set egressGateway, or platform with the name of a stack that has one",
    ]);
    const faulty = { ...without, egressGateway: { ...gateway, name: "Egress" }, containers: { dev1 } };
    expect(await said(file(hosts, faulty))).toEqual([
      expect.stringContaining("drawbridge:team.egressGateway.name: "),
    ]);
  });
});

it("hosts of the defaults are those of a container that names none, so none at all may be", () => {
  const shared = { namespace: "team-a", hostKeySeed: new Secret("seed"), egressGateway: { name: "egress" } };
  const reached = (own: Raw) => completeContainer(shared, { egress: { hosts: [] } }, own).egress;
  expect([reached({}), reached({ egress: { hosts: ["pypi.org"] } })]).toEqual([
    { gateway: { name: "egress" }, hosts: [] },
    { gateway: { name: "egress" }, hosts: ["pypi.org"] },
  ]);
});

it("takes a secret where it ends in a Secret, and nowhere else", async () => {
  const secret = { secure: "v1:x" };
  const own = {
    authorizedKeys: [publicKey],
    env: { A: secret, token: secret },
    secretEnv: { B: secret },
    pod: { labels: { "example.com/a": secret } },
  };
  const config = {
    "drawbridge:team": { ...team({ frp: {} })["drawbridge:team"], containers: { dev1: own } },
  };
  const document = parseDocument(stringify({ config }));
  const faults = await checkStackConfig(
    config,
    stackFile(document, () => 1),
  );
  const at = "drawbridge:team.containers.dev1";
  expect(faults.map((fault) => `${fault.path}: ${whatIsWrong(fault)}`)).toEqual([
    `${at}.env.A: is a secret, and env is readable in the cluster`,
    `${at}.env.token: is a secret, and env is readable in the cluster`,
    `${at}.pod.labels["example.com/a"]: is a secret, and this argument ends in objects that are readable in the cluster`,
  ]);
});

/** Faults of a file, with the lines on which they stand. */
async function faultsIn(config: object): Promise<string[]> {
  const text = stringify({ config });
  const lineAt = (position: number) => text.slice(0, position).split("\n").length;
  const faults = await checkStackConfig(config, stackFile(parseDocument(text), lineAt));
  const lines = text.split("\n");
  return faults.map(
    (fault) => `${fault.path}: ${whatIsWrong(fault)} at ${lines[(fault.line ?? 0) - 1]?.trim()}`,
  );
}

const box = { serviceName: "vm1", userName: "ubuntu", hostPublicKeys: [publicKey] };

describe("a route in a team's file", () => {
  const withRoutes = (routes: object, further: object = {}) => ({
    "drawbridge:team": { ...team({})["drawbridge:team"], routes, ...further },
  });
  const at = "drawbridge:team.routes";

  it("has the team's gateway and what its file says for all", async () => {
    expect(await faultsIn(withRoutes({ box }))).toEqual([]);
    const { userName, hostPublicKeys } = box;
    const routeDefaults = { userName, hostPublicKeys };
    expect(await faultsIn(withRoutes({ box: { serviceName: "vm1" } }, { routeDefaults }))).toEqual([]);
  });

  it("is at fault where it is written", async () => {
    const routeDefaults = { port: 0 };
    expect(
      await faultsIn(
        withRoutes({ box: { ...box, hostPublicKeys: [] }, vm: { ...box, username: "a" } }, { routeDefaults }),
      ),
    ).toEqual([
      `${at}.box.hostPublicKeys: has no key, so the host could not be verified at hostPublicKeys: []`,
      `${at}.vm: unknown key "username" at username: a`,
      "drawbridge:team.routeDefaults.port: 0 is not a port at port: 0",
    ]);
  });

  it("needs a way in", async () => {
    const alone = { ...withRoutes({ box })["drawbridge:team"], platform: undefined, containers: {} };
    const file = { "drawbridge:team": JSON.parse(JSON.stringify({ ...alone, storages: {} })) };
    expect(await faultsIn(file)).toEqual([
      `${at}.box.access: has no way in, so no login is possible at box:`,
    ]);
    const members = { sshpod: { groups: ["team-a"] } };
    file["drawbridge:team"] = {
      ...file["drawbridge:team"],
      members,
      routes: { box: { ...box, podName: "box-0" } },
    };
    expect(await faultsIn(file)).toEqual([]);
  });

  it("has a name of its own", async () => {
    expect(await faultsIn(withRoutes({ dev1: box }))).toEqual([
      `${at}.dev1: "dev1" already belongs to the container dev1 at dev1:`,
    ]);
    expect(await faultsIn(withRoutes({ box: { ...box, name: "dev1" } }))).toEqual([
      `${at}.box: "dev1" already belongs to the container dev1 at box:`,
    ]);
  });
});

describe("a host outside of the cluster in a platform's file", () => {
  const platform = (gateway: object | undefined, host: object) => ({
    "drawbridge:platform": {
      ...(gateway && {
        gateway: { domain: "dev.example.com", loadBalancer: { preset: "generic" }, ...gateway },
      }),
      teams: { "team-a": { outsideHosts: { vm1: host } } },
    },
  });
  const reaching = (...outsideHosts: object[]) => ({ egress: { outsideHosts } });
  const vm1 = { address: "10.20.0.5" };
  const existing = {
    loadBalancer: undefined,
    existing: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
  };
  const at = 'drawbridge:platform.teams["team-a"].outsideHosts.vm1';
  const unreached = [`${at}: is out of the gateway's reach at vm1:`];

  it.each<[string, object | undefined, object, string[]]>([
    ["reached by its address", reaching({ cidr: "10.20.0.5/32" }), vm1, []],
    ["reached by its network", reaching({ cidr: "10.20.0.0/24" }), vm1, []],
    ["reached in IPv6", reaching({ cidr: "fd12::/64" }), { address: "fd12::5" }, []],
    ["reached at its port", reaching({ cidr: "10.20.0.5/32", ports: [2022] }), { ...vm1, port: 2022 }, []],
    ["not reached", {}, vm1, unreached],
    ["at another address", reaching({ cidr: "10.20.0.6/32" }), vm1, unreached],
    ["at another port", reaching({ cidr: "10.20.0.5/32" }), { ...vm1, port: 2022 }, unreached],
    ["behind a gateway of somebody else", existing, vm1, []],
    ["without a gateway", undefined, vm1, []],
    [
      "nowhere",
      reaching({ cidr: "10.20.0.0/24" }),
      { address: "169.254.169.254" },
      [
        `${at}.address: "169.254.169.254" is in 169.254.0.0/16 (link-local), where no host outside of the cluster is at address: 169.254.169.254`,
      ],
    ],
  ])("is %s", async (_, gateway, host, faults) => {
    expect(await faultsIn(JSON.parse(JSON.stringify(platform(gateway, host))))).toEqual(faults);
  });
});

describe("names that stand for others", () => {
  it("are checked in a team's file", async () => {
    const file = team({ frp: {} });
    const long = "s".repeat(60);
    const { dev1 } = file["drawbridge:team"].containers;
    const named = { ...file["drawbridge:team"], storages: { [long]: {} }, containers: { [long]: dev1 } };
    const faults = await checkStackConfig({ "drawbridge:team": named }, nowhere);
    expect(faults.map((fault) => `${fault.path}: ${whatIsWrong(fault)}`)).toEqual([
      `drawbridge:team.storages.${long}: "${long}" is not usable as a storage's name`,
      `drawbridge:team.containers.${long}: "${long}" is not usable as a container's name`,
      `drawbridge:team.containers.${long}.mounts[0].storage: "models" is not a storage of this file`,
    ]);
  });

  it("are checked in a platform's file", async () => {
    const loadBalancer = { preset: "generic" };
    const frp = {
      domain: "ssh.example.com",
      authorizer: { image: "programs:1" },
      egress: { apiServer: [] },
      loadBalancer,
    };
    const file = (name: object) => ({
      "drawbridge:platform": {
        gateway: { ...name, domain: "dev.example.com", loadBalancer },
        storageProxy: { ...name, loadBalancer },
        frp: { ...name, ...frp },
      },
    });
    expect(await checkStackConfig(file({}), nowhere)).toEqual([]);
    expect(await checkStackConfig(file({ name: "kube-a", namespace: "own" }), nowhere)).toEqual([]);
    const faults = await checkStackConfig(file({ name: "kube-system" }), nowhere);
    expect(faults.map((fault) => `${fault.path}: ${whatIsWrong(fault)}`)).toEqual(
      ["gateway", "storageProxy", "frp"].map(
        (part) => `drawbridge:platform.${part}.namespace: "kube-system" belongs to the cluster itself`,
      ),
    );
  });
});
