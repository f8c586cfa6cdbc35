/**
 * A gateway on port 2222, the first design's own example of one, in a mesh with other proxies: a web gateway in the very
 * same namespace, another elsewhere, and a sidecar. Its filter and its listener are its own.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apply, eventually, getObject, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { knockWith } from "../support/clients/tunnel-client.ts";
import { byGateway, endStack, testContainer, testGateway, testNamespace } from "../support/lab/cluster.ts";
import { ingressWorkload } from "../support/lab/ingress-workload.ts";
import { type ProxyConfig, partsOf, proxyConfigs, valuesOf } from "../support/lab/proxy-config.ts";

const gateway = "mesh-gw";
const elsewhere = "mesh-web";
const team = "team-mesh";
const port = 2222;

/** The other proxies of the mesh, each with its namespace and label. */
const neighbours = {
  "a web gateway in the same namespace": { namespace: gateway, selector: { web: "beside" } },
  "a web gateway elsewhere": { namespace: elsewhere, selector: { web: "elsewhere" } },
  "a sidecar": { namespace: elsewhere, selector: { app: "shop" } },
} as const;
type Neighbour = keyof typeof neighbours;
const names = Object.keys(neighbours) as Neighbour[];

/** A web gateway with a listener of its own, as a neighbour has it. */
function webGateway(name: string, namespace: string, selector: Readonly<Record<string, string>>): object[] {
  const web = { name: "http", port: 80, targetPort: 8080 };
  const servers = [
    { port: { number: 80, name: "http", protocol: "HTTP" }, hosts: [`*/${name}.example.com`] },
  ];
  const listener = { apiVersion: "networking.istio.io/v1", kind: "Gateway", metadata: { name, namespace } };
  return [
    ...ingressWorkload({ name, namespace, selector, port: web }),
    { ...listener, spec: { selector, servers } },
  ];
}

const sidecar = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "shop",
    namespace: elsewhere,
    labels: { app: "shop", "sidecar.istio.io/inject": "true" },
    // Nothing is redirected: that needs rights which the lab's nodes do not give.
    annotations: { "sidecar.istio.io/interceptionMode": "NONE" },
  },
  spec: {
    containers: [
      { name: "shop", image: imageRef("busybox"), imagePullPolicy: "Never", command: ["sleep", "100000"] },
    ],
  },
};

let laptop: Laptop;
let address: string;
let stack: Awaited<ReturnType<typeof testStack>>;
let before: Record<Neighbour, Parts>;

const labelled = (selector: Readonly<Record<string, string>>) =>
  Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");

/** Without what changes at every push, and in an order of its own. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).sort((one, other) => (text(one) < text(other) ? -1 : 1));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !["version_info", "last_updated"].includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, plain(inner)]));
}
const text = (value: unknown) => JSON.stringify(value);

async function configOf(name: Neighbour): Promise<ProxyConfig> {
  const { namespace, selector } = neighbours[name];
  const [config] = await proxyConfigs(namespace, labelled(selector));
  if (config === undefined) throw new Error(`there is no proxy of ${name}`);
  return config;
}

type Parts = Readonly<Record<string, unknown>>;

/** Containers and the gateway have Services, of which every proxy is told; those are nothing of the filter's. */
const isService = (value: unknown) => new RegExp(`\\.(${team}|${gateway})\\.`).test(text(value));

/** A neighbour's listeners, routes and clusters by their names, but for the Services of containers and gateway. */
async function ownParts(name: Neighbour): Promise<Parts> {
  const config = await configOf(name);
  const all = (part: string, key: string) =>
    partsOf(config, part).flatMap((one) => (one[key] ?? []) as Record<string, unknown>[]);
  const listeners = all("ListenersConfigDump", "dynamic_listeners").map((one) => [
    `listener ${one.name}`,
    one,
  ]);
  const routes = all("RoutesConfigDump", "dynamic_route_configs").map(({ route_config }) => {
    const { name: route, virtual_hosts: hosts = [], ...rest } = route_config as Record<string, unknown>;
    return [`route ${route}`, { ...rest, hosts: (hosts as object[]).filter((host) => !isService(host)) }];
  });
  const clusters = all("ClustersConfigDump", "dynamic_active_clusters").map(({ cluster }) => [
    `cluster ${(cluster as { name: string }).name}`,
    cluster,
  ]);
  const kept = [...listeners, ...routes, ...clusters].filter(([, value]) => !isService(value));
  return Object.fromEntries(kept.map(([key, value]) => [key, plain(value)])) as Parts;
}

async function allOwnParts(): Promise<Record<Neighbour, Parts>> {
  const parts = await Promise.all(names.map(async (name) => [name, await ownParts(name)]));
  return Object.fromEntries(parts) as Record<Neighbour, Parts>;
}

/** Those of the parts that were there before. New ones come with the Services of containers, as with anybody's. */
function known(parts: Parts, was: Parts): Parts {
  return Object.fromEntries(Object.entries(parts).filter(([key]) => key in was));
}

beforeAll(async () => {
  laptop = await Laptop.create();
  for (const name of [gateway, elsewhere]) await kubectl(["create", "namespace", name]);
  await apply(
    ...webGateway("beside", gateway, neighbours["a web gateway in the same namespace"].selector),
    ...webGateway("elsewhere", elsewhere, neighbours["a web gateway elsewhere"].selector),
    sidecar,
  );
  await kubectl(["-n", gateway, "rollout", "status", "deployment/beside", "--timeout=120s"]);
  await kubectl(["-n", elsewhere, "rollout", "status", "deployment/elsewhere", "--timeout=120s"]);
  await kubectl(["-n", elsewhere, "wait", "--for=condition=Ready", "pod/shop", "--timeout=120s"]);
  // A proxy is told the rest of the mesh in several pushes.
  before = await eventually("the mesh is quiet", async () => {
    const first = await allOwnParts();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const second = await allOwnParts();
    return isDeepStrictEqual(first, second) ? second : undefined;
  });
  stack = await testStack(async () => {
    const ssh = testGateway(gateway, { createNamespace: false, listeners: { plain: { port } } });
    const namespace = testNamespace(team);
    const containers = [22, port].map((sshPort) =>
      testContainer(
        `dev-${sshPort}`,
        {
          namespace: team,
          authorizedKeys: [laptop.publicKey],
          access: byGateway(ssh),
          ssh: { port: sshPort },
        },
        [namespace],
      ),
    );
    return {
      address: ssh.address,
      sshConfig: containers.map(({ sshConfig }) => sshConfig),
      knownHosts: containers.map(({ knownHosts }) => knownHosts),
    };
  });
  const { outputs } = await stack.stack.up();
  address = outputs.address?.value as string;
  const texts = (name: string) => (outputs[name]?.value ?? []) as string[];
  await laptop.configure(texts("sshConfig").join("\n"), texts("knownHosts").join(""));
});

afterAll(() => endStack(stack, [gateway, elsewhere, team], laptop));

it.each([22, port])(
  "port 2222 of the gateway leads to a container whose sshd listens at %d",
  async (sshPort) => {
    const login = await eventually("the login", async () => {
      const attempt = await laptop.ssh([`dev-${sshPort}`, "hostname"]);
      if (attempt.code !== 0) throw new Error(attempt.stderr);
      return attempt;
    });
    expect(login.stdout).toBe(`dev-${sshPort}-0\n`);
    const config = await laptop.ssh(["-G", `dev-${sshPort}`]);
    expect(config.stdout).toMatch(new RegExp(`^proxycommand .*\\b${address}[: ]${port}\\b`, "m"));
  },
);

it("no other port of the gateway's address is open", async () => {
  const host = `dev-22.${team}.dev.example.com:22`;
  expect(await knockWith({ address, port }, host)).toBe("HTTP/1.1 200 OK, SSH-2.0");
  const closed = /^(ECONNREFUSED|EHOSTUNREACH|ETIMEDOUT|silence)$/;
  expect(await knockWith({ address, port: 80 }, host)).toMatch(closed);
});

it("the gateway has its filter, and no other proxy has any of it: listeners, routes and clusters are as before", async () => {
  // A sidecar is told of the containers' Services, so it has had its pushes since; the gateways beside it had theirs with it,
  // but are told only of what their own routes name (PILOT_FILTER_GATEWAY_CLUSTER_CONFIG).
  const told = async () =>
    text(await configOf("a sidecar")).includes(`dev-${port}.${team}.svc.cluster.local`);
  await eventually("the sidecar is told", told);
  const [own] = await proxyConfigs(gateway, `app.kubernetes.io/instance=${gateway}`);
  expect(new Set(valuesOf("connect_config", own).map(text))).toEqual(new Set(["{}"]));
  for (const name of names) {
    expect([name, known(await ownParts(name), before[name])]).toEqual([name, before[name]]);
    expect([name, valuesOf("connect_config", await configOf(name))]).toEqual([name, []]);
  }
});

it("and the same filter without its selector does reach the gateway beside it, so a patch would have shown", async () => {
  const filter = await getObject<{ spec: { workloadSelector?: object } }>([
    "-n",
    gateway,
    "envoyfilter",
    `${gateway}-connect`,
  ]);
  const { workloadSelector, ...spec } = filter.spec;
  expect(workloadSelector).toEqual({
    labels: { "app.kubernetes.io/component": "ssh-gateway", "app.kubernetes.io/instance": gateway },
  });
  await kubectl(["replace", "-f", "-"], JSON.stringify({ ...filter, spec }));
  const [beside, ...others] = names as [Neighbour, ...Neighbour[]];
  await eventually("the patch", async () => {
    const parts = Object.entries(await ownParts(beside));
    return (
      valuesOf(
        "tcp_keepalive",
        parts.filter(([key]) => key.startsWith("listener ")),
      ).length > 0
    );
  });
  expect(known(await ownParts(beside), before[beside])).not.toEqual(before[beside]);
  for (const name of others) expect(known(await ownParts(name), before[name])).toEqual(before[name]);
});
