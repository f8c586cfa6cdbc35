/** Where a neighbour's routes and Services may lead the storage proxy: to accessors, and on one host to its own paths. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../support/attacks/attack.ts";
import {
  acceptedRoutes,
  type RouteChange,
  routeAttacks,
  storageRoute,
} from "../support/attacks/route-attacks.ts";
import { eventually, getObject, kubectl, run } from "../support/lab/lab.ts";
import { startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { neighbour } from "../support/stacks/deployer.ts";
import { type IsolatedStorages, isolatedStorages } from "./isolated-storages.fixture.ts";

const relay = "relay-wr";
const owner = ["--as=owner", "--as-group=system:authenticated"];
let storages: IsolatedStorages;

beforeAll(async () => {
  storages = await isolatedStorages("wr");
  for (const way of storages.ways) {
    await storages.serve(way, [{ path: "any", status: 200, headers: {}, body: "by hand" }]);
  }
  await startProbe(relay);
  const right = ["create", "rolebinding", "owner", "--clusterrole=cluster-admin", "--user=owner"];
  await kubectl(["-n", relay, ...right]);
});

afterAll(async () => {
  await stopProbe(relay);
  await storages.remove();
});

const proxy = { name: "files-i-wr", namespace: "files-i-wr", dnsName: "istio.example.com" };
const place: Place = {
  gateway: { name: "none", namespace: "none", domain: "none.example.com" },
  proxy,
  team: "other-wr",
  victim: "team-wr",
  bystander: relay,
};

/** What the API server says to an object, without keeping it. */
async function judged(as: readonly string[], object: object): Promise<string> {
  const args = [...as, "apply", "--dry-run=server", "-f", "-"];
  const { code, stderr } = await run("kubectl", args, { input: JSON.stringify(object) });
  return code === 0 ? "accepted" : (/ denied request: (.*)$/s.exec(stderr)?.[1]?.trim() ?? stderr);
}
const routed = (change: RouteChange) => judged(neighbour, storageRoute(place, change));

describe("a route on the storages' gateway", () => {
  it.each(routeAttacks(place))("is refused with %s", async (_, change, reason) => {
    expect(await routed(change)).toBe(reason);
  });

  it.each(acceptedRoutes(place))("is accepted %s", async (_, change) => {
    expect(await routed(change)).toBe("accepted");
  });

  it("is judged when it is changed too, and the neighbour's own goes on", async () => {
    const [, { made, origin }] = storages.ways;
    const patch = ["patch", "virtualservice", made.name, "--type=merge", "-p", '{"spec":{"hosts":["*"]}}'];
    const { code, stderr } = await run("kubectl", [...neighbour, "-n", place.team, ...patch]);
    expect([code, stderr.includes("must have the one host istio.example.com")]).toEqual([1, true]);
    expect(await storages.ask([`${origin}${made.path}any`])).toEqual({ status: 200, body: "by hand" });
  });
});

describe("a Gateway of somebody with all rights in his own namespace", () => {
  const { name, namespace } = proxy;
  const gateway = (spec: object, annotations = {}) => ({
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name: "own", namespace: relay, annotations },
    spec: { servers: [{ port: { number: 80, name: "http", protocol: "HTTP" }, hosts: ["*/*"] }], ...spec },
  });
  const labels = { "app.kubernetes.io/component": "storage-proxy", "app.kubernetes.io/instance": name };
  const takes = `this Gateway would take the pods of gateway ${namespace}/${name}; give it a selector with a label of your own proxies`;

  it.each<[string, object, string]>([
    ["the proxy's labels", gateway({ selector: labels }), takes],
    ["no selector", gateway({}), takes],
    ["a label of injection's", gateway({ selector: { "istio.io/rev": "default" } }), takes],
    [
      "istiod's annotations",
      gateway(
        { selector: { istio: "own" } },
        { "internal.istio.io/gateway-service": `${name}.${namespace}.svc.cluster.local` },
      ),
      "annotations internal.istio.io/… are istiod's own; remove them",
    ],
  ])("is refused with %s, and accepted for proxies of his own", async (_, attack, refusal) => {
    expect(await judged(owner, attack)).toBe(refusal);
    expect(await judged(owner, gateway({ selector: { istio: "own" } }))).toBe("accepted");
  });
});

describe("the proxy as a relay, by somebody with all rights in his own namespace", () => {
  /** A Service with a storage's name, which leads to somebody else. */
  async function lead(name: string, to: { address: string; port: number } | string): Promise<void> {
    const metadata = { name: `${name}-files`, namespace: relay };
    const port = { name: "http", port: 5000, appProtocol: "http" };
    const objects =
      typeof to === "string"
        ? [{ apiVersion: "v1", kind: "Service", metadata, spec: { type: "ExternalName", externalName: to } }]
        : [
            {
              apiVersion: "v1",
              kind: "Service",
              metadata,
              spec: { ports: [{ ...port, targetPort: to.port }] },
            },
            {
              apiVersion: "discovery.k8s.io/v1",
              kind: "EndpointSlice",
              metadata: { ...metadata, labels: { "kubernetes.io/service-name": `${name}-files` } },
              addressType: "IPv4",
              ports: [{ name: "http", port: to.port }],
              endpoints: [{ addresses: [to.address], conditions: { ready: true } }],
            },
          ];
    const items = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
    await kubectl([...owner, "apply", "-f", "-"], items);
  }

  const podAddress = async (namespace: string, selector: string) =>
    (await getObject<{ items: { status: { podIP: string } }[] }>(["-n", namespace, "pod", "-l", selector]))
      .items[0]?.status.podIP ?? expect.fail(`no pod ${selector}`);

  it("answers nothing of what is no accessor's port, and reaches one through the same kind of slice", async () => {
    const [way] = storages.ways;
    const node = (await getObject<{ items: { status: { addresses: { address: string }[] } }[] }>(["nodes"]))
      .items[0]?.status.addresses[0]?.address;
    const api = (
      await getObject<{ subsets: { addresses: { ip: string }[]; ports: { port: number }[] }[] }>([
        "endpoints",
        "kubernetes",
      ])
    ).subsets[0];
    const probe = (await getObject<{ status: { podIP: string } }>(["-n", relay, "pod", "probe"])).status
      .podIP;
    const accessor = await podAddress(storages.other, `app.kubernetes.io/instance=${way.bait}`);
    await lead("api", { address: api?.addresses[0]?.ip ?? "", port: api?.ports[0]?.port ?? 0 });
    await lead("kubelet", { address: node ?? "", port: 10250 });
    await lead("pod", { address: probe, port: 8080 });
    await lead("name", "kubernetes.default.svc.cluster.local");
    await lead("outside", "example.com");
    await lead("accessor", { address: accessor, port: 5000 });
    const ask = async (name: string) => {
      const answer = await storages.ask(["-m", "20", `${way.origin}/storage/${relay}/${name}/x`]);
      return [answer.status, answer.body.slice(0, 4)];
    };
    const answers: Record<string, unknown> = {};
    for (const name of ["api", "kubelet", "pod", "name", "outside"]) answers[name] = await ask(name);
    expect(answers).toEqual({
      api: [503, "503:"],
      kubelet: [503, "503:"],
      pod: [503, "503:"],
      name: [503, "503:"],
      outside: [404, "404:"],
    });
    // dufs itself: this path is not below its storage's.
    expect(await storages.ask([`${way.origin}/storage/${relay}/accessor/x`])).toEqual({
      status: 400,
      body: "Invalid Path",
    });
  });

  it.each([0, 1])("has no way out but to accessors, DNS and its control plane (proxy %i)", async (index) => {
    const way = storages.ways[index] ?? expect.fail("no way");
    const { spec } = await getObject<{
      spec: { egress: { ports: { port: number }[] }[]; policyTypes: string[] };
    }>(["-n", way.proxy, "networkpolicy", way.proxy]);
    expect(spec.policyTypes).toEqual(["Egress"]);
    const ports = spec.egress.map((rule) => rule.ports.map(({ port }) => port));
    expect(ports).toEqual(way.mode === "istio" ? [[5000], [53, 53], [15012]] : [[5000], [53, 53]]);
  });

  it("lets an inmate reach neither a file server nor one with a proxy's labels", async () => {
    const [way] = storages.ways;
    const labels = `app.kubernetes.io/component=storage-proxy,app.kubernetes.io/instance=${way.proxy}`;
    await kubectl(["-n", relay, "label", "pod", "probe", ...labels.split(","), "--overwrite"]);
    const path = new URL(storages.url(way, "__dufs__/health")).pathname;
    const target = `http://${way.vault}-files.${storages.team}.svc.cluster.local:5000${path}`;
    const outcome = await run("kubectl", [
      "-n",
      relay,
      "exec",
      "probe",
      "--",
      "wget",
      "-q",
      "-T",
      "3",
      "-O",
      "-",
      target,
    ]);
    expect(outcome.stdout).toBe("");
    expect((await storages.ask([storages.url(way, "__dufs__/health")])).body).toBe('{"status":"OK"}');
  });

  it("would answer for them without that policy", async () => {
    const [way] = storages.ways;
    await kubectl(["-n", way.proxy, "delete", "networkpolicy", way.proxy]);
    const reached = async () => {
      const { status } = await storages.ask([`${way.origin}/storage/${relay}/pod/x`]);
      return status !== 503 && status;
    };
    expect(await eventually("the probe's web server", reached)).toBe(404);
    expect((await storages.ask([`${way.origin}/storage/${relay}/api/x`])).body).toBe(
      "Client sent an HTTP request to an HTTPS server.\n",
    );
  });
});
