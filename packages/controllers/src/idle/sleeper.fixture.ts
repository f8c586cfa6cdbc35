/** A container that may sleep, as its stack writes it, for the unit tests of this folder. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

export const settings = {
  stopAfter: 60,
  silentSessions: 60,
  warning: 0,
  keepAwake: [],
  wake: "onConnect",
  maxHold: 60,
  port: 22,
  running: true,
  dryRun: false,
  gateway: "gw/gw",
  reportEvery: 10,
};

export const statefulSet = (namespace: string, replicas = 0, annotation = JSON.stringify(settings)) => ({
  metadata: {
    name: "dev1",
    namespace,
    uid: namespace,
    resourceVersion: "1",
    annotations: { "drawbridge.dev/idle": annotation },
  },
  spec: { replicas },
});

export async function until(check: () => boolean, seconds = 8): Promise<void> {
  for (let tries = 0; !check() && tries < seconds * 100; tries += 1) await sleep(10);
  expect(check()).toBe(true);
}
