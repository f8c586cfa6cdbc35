/**
 * Everything that a neighbour may write, and everything that he may not, while another team works: the gateway's real
 * configuration names nothing but declared containers, no session loses a line, no listener changes.
 */
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import {
  type CounterSession,
  eventually,
  gatewayStats,
  getObject,
  kubectl,
} from "../../scripts/lib/lab/lab.ts";
import { metricsIn } from "../../scripts/lib/lab/metrics.ts";
import { apiAttacks } from "../support/attacks/api-attacks.ts";
import type { ApiObject } from "../support/attacks/api-user.ts";
import { named } from "../support/attacks/attack.ts";
import { bystanderObjects } from "../support/attacks/bystander.ts";
import { manyPorts } from "../support/attacks/greedy-services.ts";
import { rule } from "../support/attacks/istio.ts";
import { service } from "../support/attacks/kubernetes.ts";
import { AttackLab } from "../support/attacks/lab.ts";
import { specSchema, stepsFrom } from "../support/attacks/one-step.ts";
import { furtherName } from "../support/attacks/route.ts";
import { placeOf } from "../support/attacks/stage.ts";
import { partsOf, valuesOf } from "../support/lab/proxy-config.ts";
import { closeAll, openCounters } from "../support/stacks/gateways.ts";
import { configDumps, endpointsIn, routedClusters } from "./gateway-configuration.fixture.ts";
import { generatedRoutes } from "./generated-routes.fixture.ts";
import { ownerObjects } from "./namespace-owner.fixture.ts";

const place = placeOf("wal");
const pods = `app.kubernetes.io/instance=${place.gateway.name}`;
const listenerCounters = [
  "listener_manager_listener_added",
  "listener_manager_listener_in_place_updated",
  "listener_manager_listener_modified",
  "listener_manager_listener_removed",
  "listener_manager_total_filter_chains_draining",
];

let lab: AttackLab;
let cli: InstalledCli;
let sessions: CounterSession[];
let counters: Record<string, number>;

const stats = () => gatewayStats(place.gateway.namespace, pods, listenerCounters);

beforeAll(async () => {
  [lab, cli] = await Promise.all([AttackLab.create(place), installCli()]);
  sessions = await openCounters(lab.laptop, "box", 20, 1000);
  counters = await stats();
});

afterAll(async () => {
  await closeAll(sessions ?? []);
  await Promise.all([lab?.remove(), cli?.remove()]);
});

const here = apiAttacks.filter(({ bare }) => bare === undefined);

describe("an attack is refused in the policy's words, and its twin is taken, by Istio's webhook too", () => {
  it.each(here.map((attack) => [attack.name, attack] as const))("%s", async (_name, attack) => {
    const user = lab.users[attack.who];
    expect(await attack.twin(user, place)).toMatchObject({ message: "" });
    expect((await attack.attempt(user, place)).message).toMatch(attack.refusal);
  });
});

describe("a bystander goes on", () => {
  it.each(Object.entries(bystanderObjects))("with %s", async (_what, object) => {
    expect(await lab.users.bystander.apply(object(place))).toMatchObject({ message: "" });
  });

  it("with the status of his own pods and with his Namespace's labels", async () => {
    const namespace: ApiObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: place.bystander } };
    const labels = { labels: { "pod-security.kubernetes.io/enforce": "baseline" } };
    expect(await lab.users.bystander.merge(namespace, { metadata: labels })).toMatchObject({ message: "" });
    const pod: ApiObject = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "own", namespace: place.bystander },
    };
    const condition = { type: "example.org/ready", status: "True" };
    const patch = { status: { conditions: [condition] } };
    const answer = await lab.users.bystander.merge(pod, patch, { subresource: "status" });
    expect(answer).toMatchObject({ message: "" });
  });
});

/** How often a proxy has refused what istiod sent it. */
async function rejects(): Promise<number> {
  const text = await kubectl([
    "get",
    "--raw",
    "/api/v1/namespaces/istio-system/services/istiod:15014/proxy/metrics",
  ]);
  return metricsIn(text).get("pilot_total_xds_rejects") ?? 0;
}

/** Names by which the gateway's proxies answer. */
async function names(): Promise<ReadonlySet<unknown>[]> {
  const dumps = await configDumps(place);
  return dumps.map((dump) => new Set(valuesOf("domains", partsOf(dump, "RoutesConfigDump")).flat()));
}

describe("what the policies take, Envoy takes: nobody's routes are frozen", () => {
  it("each of 10,000 routes answers, none that is gone, and what is one step from each is refused", async () => {
    const [before, refused] = [await names(), await rejects()];
    const { deployer } = lab.users;
    const definition = await kubectl(["get", "crd", "virtualservices.networking.istio.io", "-o", "json"]);
    const schema = specSchema(definition);
    const routes = generatedRoutes(place, 10_000, "made");
    let byPolicy = 0;
    for (let begin = 0; begin < routes.length; begin += 500) {
      const push = routes.slice(begin, begin + 500);
      const taken = await Promise.all(push.map((route) => deployer.apply(route)));
      expect(taken.filter(({ message }) => message !== "")).toEqual([]);
      const hosts = new Set(push.flatMap(({ spec }) => (spec as { hosts: string[] }).hosts));
      await eventually("every name", async () =>
        (await names()).every((known) => [...hosts].every((host) => known.has(host))),
      );
      const others = push.map((route, index) => {
        // Another gateway is not ours to judge.
        const steps = stepsFrom(route.spec, schema).filter(([path]) => path !== "gateways.0 changed");
        const [, spec] = steps[(begin + index) % steps.length] as [string, object];
        return { ...route, spec };
      });
      const said = await Promise.all(others.map((route) => deployer.apply(route, { dryRun: true })));
      expect(others.filter((_, index) => (said[index]?.status ?? 0) < 300)).toEqual([]);
      byPolicy += said.filter(({ message }) => message.includes("ValidatingAdmissionPolicy")).length;
      expect(await rejects()).toBe(refused);
      const gone = await Promise.all(push.map((route) => deployer.remove(route)));
      expect(gone.filter(({ message }) => message !== "")).toEqual([]);
    }
    // The kind's own schema refuses a few first.
    expect(byPolicy).toBeGreaterThan(9000);
    await eventually("the names as before", async () => isDeepStrictEqual(await names(), before));
    expect(await rejects()).toBe(refused);
  });

  it("a rule for one's own Service is the gateway's no more than a bystander's Service", async () => {
    expect(await lab.users.owner.apply(rule(place, "owner"))).toMatchObject({ message: "" });
    const last = `after-rule.${place.team}.${place.gateway.domain}`;
    const further = named(furtherName(place, last), "after-rule");
    expect(await lab.users.deployer.apply(further)).toMatchObject({ message: "" });
    await eventually("a route that came after it", async () =>
      (await names()).every((known) => known.has(last)),
    );
    for (const dump of await configDumps(place)) {
      const clusters = partsOf(dump, "ClustersConfigDump");
      expect(valuesOf("name", clusters).filter((name) => /^outbound\|\d+\|a\|/.test(String(name)))).toEqual(
        [],
      );
      expect(JSON.stringify(clusters)).not.toContain("/etc/certs/ca.pem");
    }
    for (const one of [further, rule(place, "owner")]) await lab.users.owner.remove(one);
  });

  it("and 20 Services of 250 ports of a bystander's do not reach the gateway", async () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      named(service(place, "bystander", { ports: manyPorts(250) }), `many-${index}`),
    );
    for (const one of many) expect(await lab.users.bystander.apply(one)).toMatchObject({ message: "" });
    const last = `after-many.${place.team}.${place.gateway.domain}`;
    const further = named(furtherName(place, last), "after-many");
    expect(await lab.users.deployer.apply(further)).toMatchObject({ message: "" });
    await eventually("a route that came after them", async () =>
      (await names()).every((known) => known.has(last)),
    );
    for (const dump of await configDumps(place)) {
      const clusters = valuesOf("name", partsOf(dump, "ClustersConfigDump")).map(String);
      expect(clusters.filter((name) => name.includes(`.${place.bystander}.`))).toEqual([]);
      expect(clusters.filter((name) => name.includes(`.${place.victim}.`))).not.toEqual([]);
    }
    const { stdout } = await cli.run(["doctor", "--gateways"]);
    expect(stdout).toContain(
      `ok   gateway ${place.gateway.namespace}/${place.gateway.name}: gets the Services that its routes name`,
    );
    for (const one of many) await lab.users.bystander.remove(one);
  });
});

describe("with all of that in place", () => {
  it.each(Object.entries(ownerObjects))("and %s of the neighbour's", async (_what, object) => {
    expect(await lab.users.owner.apply(object(place))).toMatchObject({ message: "" });
  });

  it("no route of the gateway leads to anything but a declared container", async () => {
    const podIp = async (namespace: string, name: string) =>
      (await getObject<{ status: { podIP: string } }>(["-n", namespace, "pod", name])).status.podIP;
    const clusters = {
      [`outbound|22||box.${place.victim}.svc.cluster.local`]: [`${await podIp(place.victim, "box-0")}:22`],
      [`outbound|22||own.${place.team}.svc.cluster.local`]: [`${await podIp(place.team, "own-0")}:22`],
    };
    // istiod has sent what came last once it has sent the last route.
    await eventually("the neighbour's last route in the gateway", async () =>
      (await configDumps(place)).every((dump) => JSON.stringify(dump).includes(`last.${place.team}.`)),
    );
    for (const dump of await configDumps(place)) {
      const routed = routedClusters(dump).filter((name) => !ownWay.has(name));
      expect(Object.fromEntries(routed.map((name) => [name, endpointsIn(dump, name)]))).toEqual(clusters);
    }
  });

  it("no session of another team lost a line, and no listener changed", async () => {
    const reached = sessions.map(({ lines }) => lines.length);
    await Promise.all(sessions.map((session, index) => session.reached((reached[index] ?? 0) + 3)));
    expect(sessions.filter((session) => !session.alive || !session.unbroken)).toEqual([]);
    expect(await stats()).toEqual(counters);
  });
});

/** Clusters for the proxy's own metrics and readiness, which Istio gives to every proxy. */
const ownWay = new Set(["prometheus_stats", "agent"]);
