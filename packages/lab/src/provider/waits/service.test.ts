import { expect, test } from "vitest";
import type { KubeClient, WatchEvent } from "../kubernetes/client.ts";
import type { KubeObject } from "../kubernetes/object.ts";
import type { JsonMap } from "../values/property.ts";
import { waitForService } from "./service.ts";

const service = (spec: JsonMap, status: JsonMap = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "svc", namespace: "team" },
  spec,
  status,
});
const slice = (...ready: boolean[]): KubeObject => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "svc-1" },
  endpoints: ready.map((value) => ({ conditions: { ready: value } })),
});

/** A cluster in which the endpoints change as given, one event after each pause; a watch never ends by itself. */
function cluster(live: KubeObject, first: KubeObject[], events: WatchEvent[], pause: number): KubeClient {
  return {
    list: async ({ kind }: { kind: string }) => ({
      items: kind === "Service" ? [live] : first,
      resourceVersion: "1",
    }),
    async *watch(_: unknown, __: string, signal: AbortSignal) {
      for (const event of events) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        yield event;
      }
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  } as unknown as KubeClient;
}

async function wait(client: KubeClient, live: KubeObject, timeout = 2000) {
  const said: string[] = [];
  const start = performance.now();
  const report = (text: string) => said.push(text);
  await waitForService({ client, live, signal: AbortSignal.timeout(timeout), report }, 200);
  return { said, took: performance.now() - start };
}

test("a Service is ready when its endpoints stayed the same for a while", async () => {
  const live = service({ selector: { app: "x" }, clusterIP: "10.0.0.1" });
  const changes: WatchEvent[] = [
    { type: "ADDED", object: slice(false) },
    { type: "MODIFIED", object: slice(true) },
  ];
  const { said, took } = await wait(cluster(live, [], changes, 100), live);
  expect(said).toEqual([
    "its 0 endpoints to settle",
    "1 of 1 endpoints to become ready",
    "its 1 endpoints to settle",
  ]);
  expect(took).toBeGreaterThanOrEqual(390);
});

test("an endpoint that never becomes ready lasts until the deadline", async () => {
  const live = service({ selector: { app: "x" }, clusterIP: "10.0.0.1" });
  await expect(wait(cluster(live, [slice(true, false)], [], 0), live, 400)).rejects.toThrow(
    "The operation was aborted due to timeout",
  );
});

test.each([
  ["headless", { selector: { app: "x" }, clusterIP: "None" }],
  ["without a selector", { clusterIP: "10.0.0.1" }],
  ["an external name", { type: "ExternalName", selector: { app: "x" } }],
])("%s: nothing to wait for", async (_, spec) => {
  const live = service(spec);
  const { said, took } = await wait(cluster(live, [slice(false)], [], 0), live);
  expect(said).toEqual([]);
  expect(took).toBeLessThan(150);
});

test("a load balancer needs an address", async () => {
  const waiting = service({ type: "LoadBalancer" });
  await expect(wait(cluster(waiting, [], [], 0), waiting, 300)).rejects.toThrow(
    "The operation was aborted due to timeout",
  );
  const given = service({ type: "LoadBalancer" }, { loadBalancer: { ingress: [{ ip: "10.0.0.9" }] } });
  expect((await wait(cluster(given, [], [], 0), waiting)).said).toEqual([]);
});
