import { describe, expect, it } from "vitest";
import type { Kube } from "./kube.ts";
import {
  canEnter,
  chooseContainer,
  choosePod,
  findOwnSshd,
  hasOwnTmp,
  type Pod,
  selectorText,
  stateOf,
} from "./pod.ts";

interface Changes {
  ready?: boolean;
  created?: string;
  deleted?: boolean;
  crashed?: boolean;
}

function pod(name: string, changes: Changes = {}): Pod {
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
      containerStatuses: [
        {
          name: "main",
          state: changes.crashed ? { waiting: { reason: "CrashLoopBackOff" } } : { running: {} },
        },
      ],
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

  it("takes one that runs where none is ready, and none where none runs", () => {
    const unready = [
      pod("b", { ready: false, created: "2026-01-02T00:00:00Z" }),
      pod("a", { ready: false, crashed: true }),
    ];
    expect(choosePod(unready)?.metadata.name).toBe("b");
    expect(choosePod([pod("a", { ready: false, crashed: true }), pod("b", { deleted: true })])).toBe(
      undefined,
    );
  });
});

it("lets into a container that runs, ready or not, and into no other", () => {
  expect(canEnter(pod("a"), "main")).toBe(true);
  expect(canEnter(pod("a", { ready: false }), "main")).toBe(true);
  expect(canEnter(pod("a", { crashed: true }), "main")).toBe(false);
  expect(canEnter(pod("a", { deleted: true }), "main")).toBe(false);
  expect(canEnter(pod("a"), "other")).toBe(false);
  const sidecar = { ...pod("a").status, initContainerStatuses: [{ name: "frpc", state: { running: {} } }] };
  expect(canEnter({ ...pod("a"), status: sidecar }, "frpc")).toBe(true);
});

describe("stateOf", () => {
  it("says how a pod is that cannot be entered", () => {
    expect(stateOf(pod("a", { deleted: true }))).toBe("it is being deleted");
    expect(
      stateOf({
        ...pod("a"),
        status: {
          phase: "Pending",
          containerStatuses: [{ name: "main", state: { waiting: { reason: "ImagePullBackOff" } } }],
        },
      }),
    ).toBe("phase Pending, container main ImagePullBackOff");
    expect(
      stateOf({
        ...pod("a"),
        status: {
          phase: "Pending",
          conditions: [{ type: "PodScheduled", status: "False", message: "0/1 nodes are available" }],
        },
      }),
    ).toBe("phase Pending, 0/1 nodes are available");
  });
});

describe("hasOwnTmp", () => {
  const volume = { name: "tmp", emptyDir: {} };
  const mounting = (name: string, mountPath = "/tmp") => ({
    name,
    volumeMounts: [{ name: "tmp", mountPath }],
  });
  const own = (spec: Partial<Pod["spec"]>) =>
    hasOwnTmp({ ...pod("x"), spec: { containers: [{ name: "main" }], ...spec } }, "main");

  it("holds for the image's own folder and for an emptyDir that is mounted once", () => {
    expect(own({})).toBe(true);
    expect(own({ containers: [mounting("main")], volumes: [volume] })).toBe(true);
    expect(own({ containers: [mounting("main", "/tmp/")], volumes: [volume] })).toBe(true);
    expect(own({ containers: [mounting("main", "/tmp/x")], volumes: [{ name: "tmp" }] })).toBe(true);
  });

  it("does not hold for a volume that outlives the pod, or that another container mounts anywhere", () => {
    expect(own({ containers: [mounting("main")], volumes: [{ name: "tmp" }] })).toBe(false);
    const volumes = [volume];
    expect(own({ containers: [mounting("main"), mounting("two", "/data")], volumes })).toBe(false);
    expect(own({ containers: [mounting("main", "/tmp/")], initContainers: [mounting("i")], volumes })).toBe(
      false,
    );
    expect(own({ containers: [mounting("main")], ephemeralContainers: [mounting("e")], volumes })).toBe(
      false,
    );
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

describe("an sshd of the pod's own", () => {
  const found = (one: Pod) =>
    findOwnSshd({ get: async () => one } as unknown as Kube, { kind: "pod", name: "x", namespace: "team-a" });
  const two = { containers: [{ name: "main" }, { name: "helper" }] };

  it("is reached whichever container it is in, so nobody has to say which", async () => {
    expect(await found({ ...pod("x"), spec: two })).toEqual({ namespace: "team-a", pod: "x" });
  });

  it("is not where no container runs", async () => {
    await expect(found({ ...pod("x", { crashed: true }), spec: two })).rejects.toThrow(
      "pod team-a/x does not run: phase Running, container main CrashLoopBackOff; see: kubectl -n team-a describe pod x",
    );
  });
});
