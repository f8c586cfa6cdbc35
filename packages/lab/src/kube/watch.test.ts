import { expect, test } from "vitest";
import type { KubeClient } from "./client.ts";
import type { KubeObject } from "./object.ts";
import { Mirror } from "./watch.ts";

const version = (resourceVersion: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "a", resourceVersion },
});

test("a mirror that has not heard of a change yet says so", async () => {
  let items = [version("1")];
  const client = {
    list: async () => ({ items, resourceVersion: "1" }),
    // Hears of nothing.
    watch: async function* () {
      await new Promise(() => {});
    },
  } as unknown as KubeClient;
  const changed = Promise.withResolvers<void>();
  const mirror = new Mirror(client, { apiVersion: "v1", kind: "Namespace" }, () => changed.resolve());
  await changed.promise;
  expect(await mirror.isCurrent()).toBe(true);
  items = [version("2")];
  expect(await mirror.isCurrent()).toBe(false);
  items = [];
  expect(await mirror.isCurrent()).toBe(false);
});
