import { describe, expect, it } from "vitest";
import { chooseContainer, choosePod, notReady, type Pod, selectorText } from "./pod.ts";

function pod(name: string, changes: { ready?: boolean; created?: string; deleted?: boolean } = {}): Pod {
  return {
    metadata: {
      name,
      uid: `uid-${name}`,
      creationTimestamp: changes.created ?? "2026-01-01T00:00:00Z",
      ...(changes.deleted ? { deletionTimestamp: "2026-01-02T00:00:00Z" } : {}),
    },
    spec: { containers: [{ name: "main" }] },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: changes.ready === false ? "False" : "True" }],
    },
  };
}

describe("choosePod", () => {
  it("takes the oldest ready pod, whatever the order", () => {
    const pods = [
      pod("c", { created: "2026-01-03T00:00:00Z" }),
      pod("b", { created: "2026-01-02T00:00:00Z" }),
      pod("a", { created: "2026-01-01T00:00:00Z", ready: false }),
      pod("0", { created: "2026-01-01T00:00:00Z", deleted: true }),
    ];
    expect(choosePod(pods)?.metadata.name).toBe("b");
    expect(choosePod(pods.toReversed())?.metadata.name).toBe("b");
  });

  it("decides between pods of one second by name", () => {
    expect(choosePod([pod("b"), pod("a")])?.metadata.name).toBe("a");
  });

  it("finds none among pods that are not ready", () => {
    expect(choosePod([pod("a", { ready: false })])).toBe(undefined);
  });
});

describe("notReady", () => {
  it("says nothing of a ready pod and why of others", () => {
    expect(notReady(pod("a"))).toBe(undefined);
    expect(notReady(pod("a", { deleted: true }))).toBe("it is being deleted");
    expect(
      notReady({
        ...pod("a"),
        status: {
          phase: "Pending",
          conditions: [{ type: "Ready", status: "False", message: "containers with unready status: [main]" }],
          containerStatuses: [{ name: "main", state: { waiting: { reason: "ImagePullBackOff" } } }],
        },
      }),
    ).toBe("phase Pending, container main ImagePullBackOff, containers with unready status: [main]");
    expect(
      notReady({
        ...pod("a"),
        status: {
          phase: "Pending",
          conditions: [{ type: "PodScheduled", status: "False", message: "0/1 nodes are available" }],
        },
      }),
    ).toBe("phase Pending, 0/1 nodes are available");
  });
});

describe("chooseContainer", () => {
  const two: Pod = { ...pod("x"), spec: { containers: [{ name: "app" }, { name: "helper" }] } };
  const sidecar: Pod = {
    ...pod("x"),
    spec: {
      containers: [{ name: "app" }],
      initContainers: [{ name: "once" }, { name: "proxy", restartPolicy: "Always" }],
    },
  };

  it("takes the only container, a named one, or the pod's own default", () => {
    expect(chooseContainer(pod("x"), undefined)).toBe("main");
    expect(chooseContainer(two, "helper")).toBe("helper");
    expect(chooseContainer(sidecar, undefined)).toBe("app");
    expect(chooseContainer(sidecar, "proxy")).toBe("proxy");
    const annotations = { "kubectl.kubernetes.io/default-container": "helper" };
    expect(chooseContainer({ ...two, metadata: { ...two.metadata, annotations } }, undefined)).toBe("helper");
  });

  it("refuses to guess among several, and names that are not there", () => {
    expect(() => chooseContainer(two, undefined)).toThrow(
      "pod x has several containers: app, helper; say which by putting container--NAME. in front of the host name",
    );
    expect(() => chooseContainer(sidecar, "once")).toThrow(
      'pod x has no container "once"; it has: app, proxy',
    );
  });
});

it("writes a label selector as the API reads it", () => {
  expect(
    selectorText({
      matchLabels: { app: "web", tier: "front" },
      matchExpressions: [
        { key: "zone", operator: "In", values: ["a", "b"] },
        { key: "old", operator: "NotIn", values: ["yes"] },
        { key: "live", operator: "Exists" },
        { key: "dead", operator: "DoesNotExist" },
      ],
    }),
  ).toBe("app=web,tier=front,zone in (a,b),old notin (yes),live,!dead");
});
