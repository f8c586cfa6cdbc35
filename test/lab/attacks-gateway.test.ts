/**
 * Everything that a neighbour may write, and everything that he may not, while another team works: the gateway's real
 * configuration names nothing but declared containers, no session loses a line, no listener changes.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiObject } from "../support/attacks/api-user.ts";
import { bystanderObjects } from "../support/attacks/bystander.ts";
import { deeds } from "../support/attacks/deeds.ts";
import { AttackLab, configDumps, endpointsIn, routedClusters } from "../support/attacks/lab.ts";
import { ownerObjects } from "../support/attacks/owner.ts";
import { placeOf } from "../support/attacks/stage.ts";
import { closeAll, openCounters } from "../support/gateways.ts";
import { type CounterSession, eventually, gatewayStats, getObject } from "../support/lab.ts";

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
let sessions: CounterSession[];
let counters: Record<string, number>;

const stats = () => gatewayStats(place.gateway.namespace, pods, listenerCounters);

beforeAll(async () => {
  lab = await AttackLab.create(place);
  sessions = await openCounters(lab.laptop, "box", 20, 1000);
  counters = await stats();
});

afterAll(async () => {
  await closeAll(sessions ?? []);
  await lab?.remove();
});

// The Gateway API is not installed in a lab: its attacks are tried on a bare API server. Storages have tests of their own.
const here = deeds.filter(({ of, wall }) => of !== "proxy" && wall !== "gateway-api");

describe("an attack is refused in the policy's words, and its twin is taken, by Istio's webhook too", () => {
  it.each(here.map((deed) => [deed.name, deed] as const))("%s", async (_name, deed) => {
    const user = lab.users[deed.who];
    expect(await deed.twin(user, place)).toMatchObject({ message: "" });
    expect((await deed.attempt(user, place)).message).toMatch(deed.refusal);
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
