/** Several pods and one Lease; only the API server is a fake. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { afterEach, expect, it } from "vitest";
import type { Kubernetes } from "../../api-server.ts";
import { until } from "../sleeper.fixture.ts";
import { Leadership } from "./leadership.ts";

interface Lease {
  readonly metadata: { readonly resourceVersion: string; readonly ownerReferences?: readonly object[] };
  readonly spec: { readonly holderIdentity?: string; readonly leaseTransitions?: number };
}

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

/** An API server that takes a write of the version that it has, and no other. */
function server() {
  const state: { lease: Lease | undefined; away: boolean } = { lease: undefined, away: false };
  let version = 0;
  const write = async (method: string, _: string, body: Lease) => {
    if (state.away) throw new Error("away");
    const isCurrent = state.lease?.metadata.resourceVersion === body.metadata.resourceVersion;
    if (method === "POST" ? state.lease !== undefined : !isCurrent) throw new ApiError(409, "conflict");
    version += 1;
    state.lease = { ...body, metadata: { ...body.metadata, resourceVersion: String(version) } };
  };
  const api = {
    get: async () => {
      if (state.away) throw new Error("away");
      if (state.lease === undefined) throw new ApiError(404, "not found");
      return state.lease;
    },
    send: write,
  } as never as Kubernetes;
  const pod = (name: string) => {
    const stop = new AbortController();
    stops.push(stop);
    const changes: boolean[] = [];
    const made = new Leadership({
      ...{ api, log: () => {}, lease: "gw/gw-activator", leaseSeconds: 3 },
      pod: { name, uid: `uid of ${name}` },
    });
    const run = made.run(stop.signal, (leads) => changes.push(leads));
    return { changes, stop: () => stop.abort(), run };
  };
  return { state, pod };
}

it("one of several leads; stopped, it hands over at once, and the Lease goes with who holds it", async () => {
  const { state, pod } = server();
  const [one, two] = [pod("one"), pod("two")];
  await until(() => one.changes.length + two.changes.length > 0);
  await sleep(1500);
  const [first, other] = one.changes.length > 0 ? [one, two] : [two, one];
  expect([first.changes, other.changes]).toEqual([[true], []]);
  first.stop();
  await first.run;
  await until(() => other.changes.length > 0, 2);
  const name = other === one ? "one" : "two";
  expect(state.lease?.spec).toMatchObject({ holderIdentity: name, leaseTransitions: 3 });
  expect(state.lease?.metadata.ownerReferences).toEqual([
    { apiVersion: "v1", kind: "Pod", name, uid: `uid of ${name}` },
  ]);
});

it("one that is lost is succeeded once its time is over, and not before", async () => {
  const { state, pod } = server();
  state.lease = { metadata: { resourceVersion: "0" }, spec: { holderIdentity: "lost" } };
  const one = pod("one");
  await sleep(2500);
  expect(one.changes).toEqual([]);
  await until(() => one.changes.length > 0);
  expect(state.lease.spec.holderIdentity).toBe("one");
});

it("one that begins anew in the same pod leads on at once", async () => {
  const { state, pod } = server();
  state.lease = { metadata: { resourceVersion: "0" }, spec: { holderIdentity: "one", leaseTransitions: 4 } };
  const one = pod("one");
  await until(() => one.changes.length > 0, 1);
  expect(state.lease.spec.leaseTransitions).toBe(4);
});

it("an API server that is away for a moment changes nothing; for longer, it leads no more", async () => {
  const { state, pod } = server();
  const one = pod("one");
  await until(() => one.changes.length > 0);
  state.away = true;
  await sleep(1500);
  state.away = false;
  await sleep(1500);
  expect(one.changes).toEqual([true]);
  state.away = true;
  await until(() => one.changes.length > 1);
  expect(one.changes).toEqual([true, false]);
  state.away = false;
  await until(() => one.changes.length > 2);
});
