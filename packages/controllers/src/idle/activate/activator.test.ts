/** Sleepers of several teams and an activator that starts anew; only the API server is a fake. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import type { Kubernetes, WatchEvent } from "../../api-server.ts";
import { Metrics } from "../../telemetry.ts";
import { statefulSet, until } from "../sleeper.fixture.ts";
import { Activator, type ActivatorOptions } from "./activator.ts";
import type { Leadership } from "./leadership.ts";

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

interface Slice {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly ports: readonly { readonly port: number }[];
  readonly endpoints: readonly { readonly addresses: readonly string[] }[];
}

/** @param own other options of this pod */
function activator(
  sets: readonly object[],
  own: Partial<ActivatorOptions> = {},
  slices = new Map<string, Slice>(),
) {
  const stop = new AbortController();
  stops.push(stop);
  const watches: string[] = [];
  const events: WatchEvent[] = [];
  const api = {
    get: async (path: string) => ({
      items: path.includes("/statefulsets") ? sets : [...slices.values()],
      metadata: { resourceVersion: "1" },
    }),
    send: async (method: string, path: string, body: never) => {
      const [, namespace = ""] = /namespaces\/([^/]+)/.exec(path) ?? [];
      if (method === "POST") slices.set(namespace, body);
      if (method === "DELETE") slices.delete(namespace);
      return {};
    },
    async *watch(path: string, signal: AbortSignal) {
      if (path.includes("/statefulsets")) watches.push(path);
      while (!signal.aborted) {
        for (const event of events.splice(0)) yield event;
        await sleep(10, undefined, { signal }).catch(() => {});
      }
    },
  } as never as Kubernetes;
  const made = new Activator({
    api,
    log: () => {},
    metrics: new Metrics(),
    limits: { wakesPerHour: 12, reconnectPause: 60, heldPerContainer: 3 },
    address: "10.0.0.1",
    gateway: "gw/gw",
    settleWithinMs: 200,
    ...own,
  });
  const run = made.run(stop.signal);
  return { made, run, slices, watches, events, stop };
}

/** Whether someone answers at that port. */
function opens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

it("is ready when every sleeper is answered for", async () => {
  const { made, slices } = activator([statefulSet("team-a"), statefulSet("team-b")]);
  expect(made.ready).toBe(false);
  await until(() => made.ready);
  expect([...slices.keys()].sort()).toEqual(["team-a", "team-b"]);
});

it.each([
  ["IPv4", "10.0.0.1"],
  ["IPv6", "fd00::1"],
])(
  "a slice of %s goes with its container, and has the port at which it is answered for",
  async (addressType, address) => {
    const { made, slices } = activator([statefulSet("team-a")], { address });
    await until(() => made.ready);
    expect(slices.get("team-a")).toEqual({
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: {
        name: "dev1-asleep",
        namespace: "team-a",
        labels: {
          "kubernetes.io/service-name": "dev1",
          "endpointslice.kubernetes.io/managed-by": "drawbridge-activator",
          "app.kubernetes.io/component": "dev-container",
        },
        ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "dev1", uid: "team-a" }],
      },
      addressType,
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: "tcp-ssh", port: expect.any(Number), protocol: "TCP" }],
    });
  },
);

/** A Lease that is given and taken by hand. */
function leadership() {
  let tell = (_: boolean) => {};
  const run = async (signal: AbortSignal, onChange: (leads: boolean) => void) => {
    tell = onChange;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  return { made: { run } as never as Leadership, give: (leads: boolean) => tell(leads) };
}

it("a pod that does not lead writes no slice; once it leads, it writes all of them and takes away those of the awake", async () => {
  const lease = leadership();
  const address = "10.0.0.2";
  const { made, slices, events } = activator([statefulSet("team-a"), statefulSet("team-b")], {
    leadership: lease.made,
    address,
  });
  await until(() => made.ready);
  events.push({ type: "ADDED", object: statefulSet("team-c") });
  await sleep(50);
  expect(slices.size).toBe(0);
  lease.give(true);
  await until(() => slices.size === 3);
  const at = () => [...slices.values()].map(({ endpoints }) => endpoints[0]?.addresses[0]);
  expect(at()).toEqual([address, address, address]);
  expect(await opens(slices.get("team-c")?.ports[0]?.port ?? 0)).toBe(true);
  lease.give(false);
  slices.delete("team-a");
  events.push({ type: "MODIFIED", object: statefulSet("team-a", 0, "null") });
  events.push({ type: "ADDED", object: statefulSet("team-d") });
  await sleep(50);
  expect([...slices.keys()].sort()).toEqual(["team-b", "team-c"]);
  lease.give(true);
  await until(() => slices.size === 3);
  expect([...slices.keys()].sort()).toEqual(["team-b", "team-c", "team-d"]);
});

it("told to stop, it answers on until the next one's slices have reached the gateway", async () => {
  const lease = leadership();
  const { made, run, slices, stop } = activator([statefulSet("team-a")], {
    leadership: lease.made,
    handOverMs: 300,
  });
  lease.give(true);
  await until(() => made.ready && slices.size === 1);
  const port = slices.get("team-a")?.ports[0]?.port ?? 0;
  stop.abort();
  await sleep(100);
  expect(await opens(port)).toBe(true);
  await run;
  expect(await opens(port)).toBe(false);
});

it("begun anew while a container wakes, it answers at the port that the gateway knows, and leaves its slice", async () => {
  const free = createServer().listen(0);
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  free.close();
  const slice = { metadata: { name: "dev1-asleep", namespace: "team-a" }, ports: [{ port }], endpoints: [] };
  const slices = new Map([["team-a", slice]]);
  const { made } = activator([statefulSet("team-a", 1)], {}, slices);
  await until(() => made.ready);
  expect(await opens(port)).toBe(true);
  expect(slices.size).toBe(1);
});
