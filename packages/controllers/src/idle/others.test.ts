/** What one team writes never changes what becomes of another's containers; only the API server is a fake. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { refusedPod, startFault } from "@drawbridge-iac/drawbridge/src/dev-container/phase";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Kubernetes } from "../api-server.ts";
import { allSpoiled, named, type Path, spoiled } from "../others.fixture.ts";
import { Unreadable } from "../read.ts";
import { Metrics } from "../telemetry.ts";
import { Activator } from "./activate/activator.ts";
import { Culler } from "./cull/culler.ts";
import { lastReport } from "./cull/report.ts";
import { settings, until } from "./sleeper.fixture.ts";
import { readContainer, readEvents, readPod } from "./workload.ts";

const annotation = "drawbridge.dev/idle";
const report = (quiet: number) =>
  `drawbridge-idle: up=9000 sessions=0 terminals=0 used=1 quiet=${quiet} cpuQuiet=900 millicores=0 hold=0 commands=0 asked=0 warned=-1\n`;

/** A StatefulSet with every field that is read. */
const set = (namespace: string, name: string, replicas: number, own: object = {}) => ({
  metadata: {
    name,
    namespace,
    uid: `${namespace}-${name}`,
    resourceVersion: "1",
    annotations: { [annotation]: JSON.stringify({ ...settings, ...own }) },
    managedFields: [
      { operation: "Apply", time: "2026-01-01T00:00:00Z" },
      { operation: "Update", time: "2026-01-02T00:00:00Z" },
    ],
  },
  spec: { replicas },
});
const event = { reason: "Awake", metadata: { annotations: { "drawbridge.dev/kind": "session" } } };
const slice = { metadata: { namespace: "team-a", name: "dev1-asleep" }, ports: [{ port: 7000 }] };
const ofTeamB = [set("team-b", "idle", 1), set("team-b", "busy", 1), set("team-b", "sleeper", 0)];

interface World {
  readonly sets: readonly unknown[];
  readonly slices?: readonly unknown[];
  /** The only pod that is there. */
  readonly pod?: { readonly name: string; readonly status: object };
  /** Called before a call about an object of team A's is answered, and what it is answered with. */
  readonly ofTeamA?: (call: string) => unknown;
  readonly log?: string;
}

/** An API server that has these objects, and notes what is written of each namespace. */
function cluster({ sets, slices = [], pod, ofTeamA, log = report(900) }: World) {
  const written: string[] = [];
  const watches: { push: (event: unknown) => void }[] = [];
  const namespaceOf = (path: string) => /\/namespaces\/([^/]+)\//.exec(path)?.[1];
  const answer = async (call: string, path: string, own: () => unknown) =>
    ofTeamA !== undefined && namespaceOf(path) !== "team-b" && namespaceOf(path) !== undefined
      ? ofTeamA(`${call} ${path}`)
      : own();
  const api = {
    get: (path: string) =>
      answer("GET", path, () => {
        if (path.startsWith("/apis/apps/v1/statefulsets"))
          return { items: sets, metadata: { resourceVersion: "1" } };
        if (path.startsWith("/apis/discovery.k8s.io/v1/endpointslices"))
          return { items: slices, metadata: { resourceVersion: "1" } };
        if (pod !== undefined && path.endsWith(`/pods/${pod.name}`)) return pod;
        throw new ApiError(404, "not found");
      }),
    text: (path: string) =>
      answer("GET", path, () =>
        path.includes("/busy-0/") ? report(5) : path.includes("/team-b/") ? report(900) : log,
      ) as Promise<string>,
    send: (method: string, path: string, body: { reason?: string } = {}) =>
      answer(method, path, () => {
        written.push(`${method} ${path.replace(/^.*\/namespaces\//, "")} ${body.reason ?? ""}`.trim());
        return {};
      }),
    async *watch(path: string, signal: AbortSignal) {
      const events: unknown[] = [];
      if (path.includes("/statefulsets")) watches.push({ push: (one) => events.push(one) });
      while (!signal.aborted) {
        for (const one of events.splice(0)) {
          if (one instanceof Error) throw one;
          yield one;
        }
        await sleep(5, undefined, { signal }).catch(() => {});
      }
    },
  } as never as Kubernetes;
  const of = (namespace: string) =>
    written.filter((line) => line.split(" ")[1]?.startsWith(`${namespace}/`)).sort();
  return { api, of, written, watches };
}

const stops: AbortController[] = [];
const escaped: unknown[] = [];
const note = (error: unknown) => escaped.push(error);
process.on("unhandledRejection", note);
afterAll(() => {
  process.off("unhandledRejection", note);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
  expect(escaped.splice(0)).toEqual([]);
});

function common() {
  const problems: unknown[] = [];
  const log = ({ outcome, reason }: Record<string, unknown>) => {
    if (outcome === "problem") problems.push(reason);
  };
  return { log, metrics: new Metrics(), gateway: "gw/gw", problems };
}

function culler(world: World) {
  const { api, of } = cluster(world);
  const { problems, ...options } = common();
  const made = new Culler({ ...options, api, gpu: undefined, periodSeconds: 1 });
  const round = async () => {
    const begun = performance.now();
    await made.round();
    return performance.now() - begun;
  };
  return { round, of, problems };
}

function activator(world: World) {
  const { api, of, written, watches } = cluster(world);
  const stop = new AbortController();
  stops.push(stop);
  const limits = { wakesPerHour: 12, reconnectPause: 60, heldPerContainer: 3 };
  const { problems, ...options } = common();
  const made = new Activator({ ...options, api, limits, address: "10.0.0.1", settleWithinMs: 50 });
  void made.run(stop.signal);
  return { made, of, written, watches, problems };
}

const slept = [
  "PATCH team-b/statefulsets/idle/scale",
  "POST team-b/events Asleep",
  "POST team-b/events Asleep",
  "POST team-b/events Awake",
];
const answered = ["POST team-b/endpointslices"];
const many = Array.from({ length: 1000 }, (_, index) => `c${index}`);

/** What becomes of a call about an object of team A's. */
const answers: [string, () => unknown][] = [
  ...[400, 403, 404, 409, 422, 429, 500, 503].map((status): [string, () => unknown] => [
    `${status}`,
    () => {
      throw new ApiError(status, `${status} for the test`);
    },
  ]),
  ["an end in the middle", () => JSON.parse('{"half":')],
  ["something that is no error", () => Promise.reject(undefined)],
  ["null", () => null],
  ["a text of 1 MiB", () => "x".repeat(2 ** 20)],
  ["another kind of object", () => ({ metadata: null, reason: { toString: null }, status: [] })],
  ["nothing, for ever", () => new Promise(() => {})],
];

const asleepToo = ["PATCH team-a/statefulsets/dev1/scale", "POST team-a/events Asleep"];
/** Whether a field counts at all. */
const isRead = (path: Path) => path.at(-1) !== "resourceVersion";

describe("a round of the culler", () => {
  const own = set("team-a", "dev1", 1);
  const all = allSpoiled(own);

  it("is the same for the others, whatever stands in a field of a StatefulSet", async () => {
    const { round, of } = culler({ sets: [...all.map((one) => one.spoiled), ...ofTeamB] });
    await round();
    await until(() => of("team-b").length === slept.length);
    expect(of("team-b")).toEqual(slept);
  });

  it("does not put to sleep by what is of another kind, or endless", async () => {
    for (const one of all.filter(({ by }) => typeof by !== "string" || by.length > 1000)) {
      const { path, by, spoiled: item } = one;
      const { round, of } = culler({ sets: [item, ...ofTeamB] });
      await round();
      expect([named(one), of("team-b")]).toEqual([named(one), slept]);
      const isOwnKind = typeof by === typeof path.reduce<unknown>((value, key) => (value as never)[key], own);
      // Left out, or as good as that: nobody has said when it was changed, or that it has no pod.
      const isAbsent = by === undefined || by === null || (Array.isArray(by) && by.length === 0);
      const ofA = [named(one), isRead(path) ? [] : asleepToo];
      if (!isOwnKind && !isAbsent) expect([named(one), of("team-a")]).toEqual(ofA);
    }
  });

  it.each(["", "soon", "2026-13-45T99:99:99Z", "0000-01-01T00:00:00Z", "+275760-09-13T00:00:00Z"])(
    "does not put to sleep what was changed at %j",
    async (time) => {
      const { metadata } = own;
      const managedFields = [{ operation: "Apply", time }];
      const { round, of, problems } = culler({
        sets: [{ ...own, metadata: { ...metadata, managedFields } }],
      });
      await round();
      expect(of("team-a")).toEqual([]);
      expect(problems).toEqual(["metadata.managedFields[0].time is not a time"]);
    },
  );

  it("is the same for the others by any number of fields at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(spoiled(own), { minLength: 1, maxLength: 30 }), async (sets) => {
        const { round, of } = culler({ sets: [...sets, ...ofTeamB] });
        await round();
        expect(of("team-b")).toEqual(slept);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it.each(answers)(
    "is the same for the others where calls about one team are answered with %s",
    async (_what, ofTeamA) => {
      const sets = [own, set("team-a", "sleeper", 0), set("team-c", "gone", 1), ...ofTeamB];
      const { round, of } = culler({ sets, ofTeamA });
      expect(await round()).toBeLessThan(5000);
      expect(of("team-b")).toEqual(slept);
      expect(of("team-a")).toEqual([]);
    },
  );

  it("ends in its time and begins again beside a thousand that nobody answers for", async () => {
    const world = { sets: [...many.map((name) => set("team-a", name, 1)), ...ofTeamB] };
    let calls = 0;
    const { round, of } = culler({
      ...world,
      ofTeamA: () => {
        calls += 1;
        return new Promise(() => {});
      },
    });
    for (const times of [1, 2, 3]) {
      expect(await round()).toBeLessThan(5000);
      expect(of("team-b").filter((line) => line === slept[0]).length).toBe(times);
    }
    // Not one more for each round.
    expect(calls).toBe(4);
  });

  it("reads whatever Event stands in the place of its own, and writes it over", async () => {
    const events = allSpoiled(event);
    let at = 0;
    const { round, of, problems } = culler({
      sets: [...events.map((_, index) => set("team-a", `c${index}`, 0)), ...ofTeamB],
      ofTeamA: (call) => (call.startsWith("GET") ? events[at++]?.spoiled : {}),
    });
    await round();
    await until(() => at === events.length);
    expect(of("team-b")).toEqual(slept);
    expect(problems).toEqual([]);
  });
});

describe("the activator", () => {
  const own = set("team-a", "dev1", 0);
  const all = allSpoiled(own).map((one) => one.spoiled);

  it("answers for the others, whatever stands in a field of a StatefulSet or of a slice", async () => {
    const slices = allSpoiled(slice).map((one) => one.spoiled);
    const { made, of, watches } = activator({ sets: [...all, ...ofTeamB], slices });
    await until(() => made.ready && watches.length === 1);
    expect(of("team-b")).toEqual(answered);
    for (const type of ["ADDED", "MODIFIED", "DELETED"])
      for (const object of all) watches[0]?.push({ type, object });
    watches[0]?.push({ type: "ADDED", object: set("team-b", "later", 0) });
    await until(() => of("team-b").length === 2);
    expect(of("team-b")).toEqual([...answered, ...answered]);
    // It has not begun anew for any of them.
    expect(watches.length).toBe(1);
  });

  it("answers for the others by any number of fields at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(spoiled(own), { minLength: 1, maxLength: 30 }), async (sets) => {
        const { of } = activator({ sets: [...sets, ...ofTeamB] });
        await until(() => of("team-b").length === 1);
        stops.pop()?.abort();
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });

  it.each(answers)(
    "answers for the others where calls about one team are answered with %s",
    async (_what, ofTeamA) => {
      const { made, of, watches } = activator({ sets: [own, ...ofTeamB], ofTeamA });
      await until(() => made.ready);
      watches[0]?.push({ type: "ADDED", object: set("team-b", "later", 0) });
      watches[0]?.push({ type: "MODIFIED", object: set("team-a", "dev1", 1) });
      await until(() => of("team-b").length === 2);
      expect(of("team-b")).toEqual([...answered, ...answered]);
    },
  );

  it("answers for the others at once beside a thousand that nobody answers for", async () => {
    let calls = 0;
    const { of } = activator({
      sets: [...many.map((name) => set("team-a", name, 0)), ...ofTeamB],
      ofTeamA: () => {
        calls += 1;
        return new Promise(() => {});
      },
    });
    await until(() => of("team-b").length === 1);
    expect(calls).toBe(4);
  });

  it("tries a refused slice again, after ever longer pauses", async () => {
    let calls = 0;
    const { made, problems } = activator({
      sets: many.map((name) => set("team-a", name, 0)),
      ofTeamA: () => {
        calls += 1;
        throw new ApiError(403, "exceeded quota");
      },
    });
    await until(() => made.ready && calls >= 1000);
    await sleep(1000);
    // After a quarter of a second, a half, one, two.
    expect(calls).toBeLessThanOrEqual(4000);
    expect(problems).toEqual(Array(1000).fill("exceeded quota"));
  });

  it("lists anew where a watch ends, fails or brings what is no event", async () => {
    const { made, of, watches } = activator({ sets: [own, ...ofTeamB] });
    await until(() => made.ready);
    for (const [index, end] of [new SyntaxError("garbage"), { type: "ERROR", object: null }].entries()) {
      await until(() => watches.length === index + 1);
      watches[index]?.push(end);
    }
    await until(() => watches.length === 3);
    watches[2]?.push({ type: "ADDED", object: set("team-b", "later", 0) });
    await until(() => of("team-b").length === 4);
  });

  it("takes away a slice that is left of its own once sshd answers, and no slice of another gateway's container or an unreadable one", async () => {
    const sshd = createServer((socket) => void socket.on("error", () => {}).end("SSH-2.0-own\r\n"));
    await once(sshd.listen(0, "127.0.0.1"), "listening");
    const { port } = sshd.address() as AddressInfo;
    const sets = [
      set("team-a", "own", 1, { port }),
      set("team-a", "starting", 1),
      set("team-a", "other", 1, { gateway: "gw/other" }),
      set("team-a", "none", 1, { port: "22" }),
    ];
    const slices = sets.map(({ metadata: { name } }) => ({
      metadata: { namespace: "team-a", name: `${name}-asleep` },
      ports: [{ port: 7000 }],
    }));
    const pod = { name: "own-0", status: { podIP: "127.0.0.1" } };
    const { made, of, watches } = activator({ sets, slices, pod });
    await until(() => made.ready && watches.length === 1 && of("team-a").length > 0);
    const given = ["DELETE team-a/endpointslices/own-asleep"];
    expect(of("team-a")).toEqual(given);
    sshd.close();
    // Not again whenever it changes: it is not ours any more.
    for (const object of [sets[0], set("team-b", "later", 0)]) watches[0]?.push({ type: "MODIFIED", object });
    await until(() => of("team-b").length === 1);
    expect(of("team-a")).toEqual(given);
  });

  it("tries no more for a container that is gone when it lists anew", async () => {
    let calls = 0;
    const sets = [own, ...ofTeamB];
    const { made, of, watches } = activator({
      sets,
      ofTeamA: () => {
        calls += 1;
        throw new ApiError(403, "exceeded quota");
      },
    });
    await until(() => made.ready && of("team-b").length === 1 && calls > 0);
    sets.shift();
    watches[0]?.push({ type: "ERROR", object: null });
    await until(() => watches.length === 2);
    const before = calls;
    await sleep(2500);
    expect(calls).toBe(before);
  });

  it("answers at another port where its own of before a restart is taken", async () => {
    const taken = createServer().listen(0);
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { made, of } = activator({ sets: [own], slices: [{ ...slice, ports: [{ port }] }] });
    await until(() => made.ready && of("team-a").length === 1);
    expect(of("team-a")).toEqual(["POST team-a/endpointslices"]);
    taken.close();
  });

  it("gives back the Service of a container that can no longer be read, and takes it again", async () => {
    const { made, of, watches } = activator({ sets: [own] });
    await until(() => made.ready);
    watches[0]?.push({ type: "MODIFIED", object: { ...own, spec: null } });
    watches[0]?.push({ type: "MODIFIED", object: own });
    watches[0]?.push({ type: "MODIFIED", object: { ...own, spec: { replicas: "0" } } });
    await until(() => of("team-a").filter((line) => line.startsWith("DELETE")).length > 0);
    await sleep(50);
    watches[0]?.push({ type: "MODIFIED", object: own });
    await until(() => of("team-a").at(-1) !== undefined && made.connections === 0);
    await until(() => of("team-a").filter((line) => line.startsWith("POST")).length === 2);
  });
});

it("a container's last change by its stack is the last apply, whatever has updated it since", () => {
  expect(readContainer(set("team-a", "dev1", 1), "gw/gw")?.changedAt).toBe(
    Date.parse("2026-01-01T00:00:00Z"),
  );
});

it("a container of another gateway is that one's to see to", () => {
  expect(readContainer(set("team-a", "dev1", 1), "gw/gw")?.name).toBe("dev1");
  for (const other of ["gw/other", "other/gw", "gw", ""])
    expect(readContainer(set("team-a", "dev1", 1), other)).toBe(undefined);
});

it("what a pod says leads nowhere but to an address", () => {
  const waiting = [{ name: "dev", state: { waiting: { reason: "ErrImagePull", message: "no" } } }];
  const pod = {
    metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    status: {
      ...{ phase: "Pending", reason: "r", message: "m", podIP: "10.0.0.1" },
      conditions: [{ type: "PodScheduled", status: "False", reason: "r", message: "m" }],
      initContainerStatuses: waiting,
      containerStatuses: waiting,
    },
  };
  for (const { spoiled: one } of allSpoiled(pod)) {
    try {
      const read = readPod(one);
      expect([undefined, "10.0.0.1", "::"]).toContain(read.status?.podIP);
      expect(startFault(read)?.message.length ?? 0).toBeLessThan(2500);
    } catch (error) {
      expect(error).toBeInstanceOf(Unreadable);
    }
  }
});

it("what Events say is told in few words, or is none", () => {
  const failed = { reason: "FailedCreate", message: "m", lastTimestamp: "2026-01-01T00:00:00Z" };
  for (const { spoiled: one } of allSpoiled({ items: [failed, failed] })) {
    try {
      expect(refusedPod(readEvents(one))?.message.length ?? 0).toBeLessThan(2500);
    } catch (error) {
      expect(error).toBeInstanceOf(Unreadable);
    }
  }
});

it("a log of 4 MiB takes no time, whatever is in it", () => {
  const size = 4 * 2 ** 20;
  const fill = (text: string) => text.repeat(Math.floor(size / text.length));
  for (const part of [
    "\n",
    "drawbridge-idle: a=1\n",
    " a=1",
    "\ndrawbridge-idle: ",
    "drawbridge-idle:",
    "é=\u0000",
  ]) {
    const begun = performance.now();
    expect(lastReport(`drawbridge-idle:${fill(part)}\n`)).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(lastReport(`${fill(part)}\n${report(5)}`)?.quiet).toBe(5);
  }
});
