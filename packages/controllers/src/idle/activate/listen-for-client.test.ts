/** Real sockets on loopback; only the API server is a fake. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { IdleSettings } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Kubernetes } from "../../api-server.ts";
import { Metrics } from "../../telemetry.ts";
import { until } from "../sleeper.fixture.ts";
import type { Container } from "../workload.ts";
import { ContainerListener } from "./listen-for-client.ts";

let sshd: Server;
let port: number;
let pod: unknown;
let scaled: object[];
let lines: Record<string, unknown>[];
let apiFault: Error | undefined;
/** The StatefulSet's, or why they are not to be read. */
let events: readonly object[] | Error;
let arrived: number;
/** The signal that ends each watch of its pod. */
let watches: AbortSignal[];
const received: string[] = [];
const opened: Socket[] = [];
const listeners: ContainerListener[] = [];

beforeEach(async () => {
  [pod, scaled, lines, apiFault, arrived, watches] = [undefined, [], [], undefined, 0, []];
  events = [];
  received.length = 0;
  sshd = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("SSH-2.0-own\r\n");
    socket.on("data", (bytes) => {
      received.push(bytes.toString("latin1"));
      socket.write(`echo ${bytes.length}\r\n`);
    });
  });
  await new Promise<void>((resolve) => sshd.listen(0, "127.0.0.1", resolve));
  port = (sshd.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  for (const listener of listeners.splice(0)) listener.abandon();
  await new Promise((resolve) => sshd.close(resolve));
});

const api: Kubernetes = {
  get: async (path) => {
    if (path.includes("/events?")) {
      if (events instanceof Error) throw events;
      return { items: events };
    }
    if (pod === undefined) throw new ApiError(404, "not found");
    return pod;
  },
  text: async () => "",
  send: async (_: string, path: string, body?: object) => {
    if (apiFault !== undefined) throw apiFault;
    scaled.push({ path, body });
    return {};
  },
  async *watch(_: string, signal: AbortSignal) {
    watches.push(signal);
    await sleep(20, undefined, { signal }).catch(() => {});
  },
};

const starts = () => {
  pod = { status: { podIP: "127.0.0.1" } };
};

async function listener(
  settings: Partial<IdleSettings> = {},
  limits = {},
): Promise<{ listener: ContainerListener; at: number }> {
  const made = new ContainerListener(asleep(settings), {
    api,
    log: (line) => lines.push({ ...line }),
    metrics: new Metrics(),
    limits: { wakesPerHour: 12, reconnectPause: 60, heldPerContainer: 3, ...limits },
    onArrival: async () => {
      arrived += 1;
    },
  });
  listeners.push(made);
  return { listener: made, at: await made.listen(0) };
}

const asleep = (settings: Partial<IdleSettings> = {}): Container => ({
  name: "dev1",
  namespace: "team-a",
  uid: "1",
  asleep: true,
  changedAt: undefined,
  settings: { running: true, wake: "onConnect", maxHold: 1, port, ...settings } as IdleSettings,
});

/** What a client hears until the other side ends, or for a while. */
async function client(
  at: number,
  says: string,
  seconds = 3,
): Promise<{ heard: () => string; socket: Socket; ended: Promise<void> }> {
  const socket = connect(at, "127.0.0.1");
  opened.push(socket);
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
  });
  socket.on("error", () => {});
  const ended = Promise.race([
    new Promise<void>((resolve) => socket.once("close", () => resolve())),
    sleep(seconds * 1000),
  ]);
  if (says !== "") socket.write(says);
  return { heard: () => text, socket, ended };
}

const greeting = "SSH-2.0-OpenSSH_10.0\r\n";
/** What everybody hears who is held. */
const held = "drawbridge: it is being woken\r\n";
/** From the greeting on. */
const after = (text: string) => /SSH-2\.0-.*/s.exec(text)?.[0] ?? "";

it("holds who greets, wakes once, and joins everybody to sshd with what they have said already", async () => {
  const { at } = await listener({ maxHold: 10 });
  const both = await Promise.all([client(at, `${greeting}first`), client(at, greeting)]);
  await until(() => scaled.length > 0);
  await sleep(200);
  expect(both.map(({ heard }) => heard())).toEqual([held, held]);
  starts();
  await until(() => both.every(({ heard }) => heard().includes("echo")));
  expect(both.map(({ heard }) => heard())).toEqual([
    `${held}SSH-2.0-own\r\necho 27\r\n`,
    `${held}SSH-2.0-own\r\necho 22\r\n`,
  ]);
  expect(received).toContain(`${greeting}first`);
  expect(scaled).toEqual([
    {
      path: "/apis/apps/v1/namespaces/team-a/statefulsets/dev1/scale",
      body: [{ op: "add", path: "/spec/replicas", value: 1 }],
    },
  ]);
  expect(arrived).toBe(1);
  expect(lines.map(({ outcome }) => outcome).sort()).toEqual(["joined", "joined", "wake"]);
});

it.each([
  ["HTTP", "GET / HTTP/1.1\r\n\r\n"],
  ["TLS", "\x16\x03\x01\x02\x00\x01"],
  ["a line that is no greeting", "hello\r\n"],
])("%s wakes nobody and hears nothing", async (_, text) => {
  const { at } = await listener();
  const { heard, ended } = await client(at, text);
  await ended;
  expect([heard(), scaled]).toEqual(["", []]);
});

it("a connection that says nothing wakes nobody", async () => {
  const { at } = await listener();
  await client(at, "");
  await sleep(300);
  expect(scaled).toEqual([]);
});

it("who sends more than a client of SSH does before it is answered is turned away", async () => {
  const { at } = await listener({ maxHold: 60 });
  const { heard, ended } = await client(at, greeting + "x".repeat(70 * 1024));
  const begun = performance.now();
  await ended;
  expect(performance.now() - begun).toBeLessThan(2500);
  expect(heard()).toBe(held);
});

it("connects nobody to a pod that is being deleted", async () => {
  const { at } = await listener({ maxHold: 5 });
  pod = { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" }, status: { podIP: "127.0.0.1" } };
  const { heard } = await client(at, greeting, 5);
  await sleep(700);
  expect(heard()).toBe(`${held}drawbridge: dev1: the pod from before has not ended yet\r\n`);
  starts();
  await until(() => heard().includes("SSH-2.0-own"));
});

it.each(["Succeeded", "Failed"])(
  "does not dial the address of a pod that has %s: others have it",
  async (phase) => {
    const { at } = await listener({ maxHold: 5 });
    pod = { status: { podIP: "127.0.0.1", phase } };
    const { heard } = await client(at, greeting, 5);
    await sleep(700);
    expect(heard()).not.toContain("SSH-2.0-own");
    starts();
    await until(() => heard().includes("SSH-2.0-own"));
  },
);

/** The reason in a disconnect message. */
const reason = (text: string) => /dev1: [\x20-\x7e]+/.exec(after(text))?.[0];

it("tells why what cannot start did not, after maxHold", async () => {
  const { at } = await listener();
  pod = {
    status: { conditions: [{ type: "PodScheduled", status: "False", message: "0/1 nodes have a GPU" }] },
  };
  const begun = Date.now();
  const { heard, ended } = await client(at, greeting);
  await ended;
  expect(Date.now() - begun).toBeGreaterThanOrEqual(990);
  const why = "no node takes it: 0/1 nodes have a GPU; ask for less in the stack, or wait for a node";
  expect(heard()).toMatch(new RegExp(`^${held}drawbridge: dev1: ${why}\r\nSSH-2\\.0-drawbridge\r\n`));
  expect(reason(heard())).toBe(`dev1: it did not start within 1 s: ${why}`);
});

it("tells of an API server that is away", async () => {
  apiFault = new Error("connect ECONNREFUSED");
  const { at } = await listener();
  const { heard, ended } = await client(at, greeting);
  await ended;
  expect(reason(heard())).toBe("dev1: it did not start within 1 s: connect ECONNREFUSED");
  // Nothing is left behind: the next one wakes it.
  apiFault = undefined;
  await sleep(1200);
  await client(at, greeting);
  await until(() => scaled.length === 1);
});

it("forgets a wake's fault once the container is awake, and tells what keeps its pod from starting", async () => {
  apiFault = new Error("the API server does not answer within 10 s");
  const { listener: made, at } = await listener({ maxHold: 3 });
  const { heard, ended } = await client(at, greeting, 6);
  await until(() => heard().includes("does not answer"));
  // It was written all the same, and the watch says so.
  made.update({ ...made.container, asleep: false });
  pod = {
    status: { conditions: [{ type: "PodScheduled", status: "False", message: "0/1 nodes have a GPU" }] },
  };
  await ended;
  expect(reason(heard())).toBe(
    "dev1: it did not start within 3 s: no node takes it: 0/1 nodes have a GPU; ask for less in the stack, or wait for a node",
  );
});

const quota =
  'create Pod dev1-0 in StatefulSet dev1 failed error: pods "dev1-0" is forbidden: exceeded quota: team';
const quotaSays =
  'its pod cannot be made: pods "dev1-0" is forbidden: exceeded quota: team; ask for less in the stack, let another container sleep, or ask the platform\'s team for a larger quota';
const waits = (reason: string) => ({
  status: { containerStatuses: [{ name: "dev", state: { waiting: { reason, message: "no such image" } } }] },
});

it.each<[string, () => void, string]>([
  [
    "a quota that is used up",
    () => {
      events = [
        { reason: "SuccessfulCreate", lastTimestamp: "2026-01-01T00:00:00Z" },
        { reason: "FailedCreate", lastTimestamp: "2026-01-01T00:00:01Z", message: quota },
      ];
    },
    quotaSays,
  ],
  [
    "an image that cannot be pulled",
    () => {
      pod = waits("ErrImagePull");
    },
    "ErrImagePull of container dev: no such image; check the image's name in the stack, its registry, and the pull secret",
  ],
])(
  "within ten seconds tells of %s, at first in a line before the greeting",
  async (_, happens, why) => {
    happens();
    const { at } = await listener({ maxHold: 60 });
    const begun = performance.now();
    const { heard, ended } = await client(at, greeting, 12);
    await until(() => heard().includes("\r\ndrawbridge: "));
    expect(heard()).toMatch(/\ndrawbridge: [\x20-\x7e]{20,240}\r\n$/);
    expect(why.slice(0, 200)).toContain(heard().split("\r\n")[1]?.slice("drawbridge: dev1: ".length, 200));
    await ended;
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(reason(heard())).toBe(`dev1: it cannot start: ${why}`);
  },
  15_000,
);

it("waits on after a fault that passes, and an Event that is older than the pod's is none", async () => {
  events = [
    { reason: "SuccessfulCreate", lastTimestamp: "2026-01-01T00:00:02Z" },
    { reason: "FailedCreate", lastTimestamp: "2026-01-01T00:00:01Z", message: quota },
  ];
  const { at } = await listener({ maxHold: 60 });
  const { heard } = await client(at, greeting, 12);
  await sleep(2600);
  expect(heard()).toBe(held);
  pod = waits("ErrImagePull");
  await until(() => heard().includes("ErrImagePull"));
  starts();
  await until(() => after(heard()).startsWith("SSH-2.0-own"));
}, 15_000);

it("says that its rights do not let it read why", async () => {
  events = new ApiError(403, "forbidden");
  const { at } = await listener({ maxHold: 3 });
  const { heard, ended } = await client(at, greeting, 6);
  await ended;
  expect(reason(heard())).toBe(
    "dev1: it did not start within 3 s: there is no pod yet, and its stack does not let the activator read why: run pulumi up",
  );
});

it.each(["wake", "wait"])(
  "ends what greets as `drawbridge %s` does when sshd answers, and leads it nowhere",
  async (word) => {
    const { at } = await listener({ maxHold: 10 });
    await client(at, greeting);
    const { heard, ended } = await client(at, `SSH-2.0-drawbridge-${word}\r\n`, 8);
    await until(() => scaled.length === 1);
    starts();
    await ended;
    expect(heard()).toBe(`${held}drawbridge: it is awake\r\n`);
    expect(received.join("")).not.toContain(word);
  },
);

it("wakes it again after a sleep whose wake the cluster did not tell of", async () => {
  const { listener: made, at } = await listener({ maxHold: 10 });
  await client(at, greeting);
  starts();
  await until(() => arrived === 1);
  pod = undefined;
  made.update(asleep({ maxHold: 10 }));
  await client(at, "SSH-2.0-drawbridge-wake\r\n", 8);
  await until(() => scaled.length === 2);
});

it("says that it was put to sleep again to who waits for it", async () => {
  const { listener: made, at } = await listener({ maxHold: 10 });
  const { heard, ended } = await client(at, greeting);
  await until(() => scaled.length === 1);
  made.update({ ...asleep({ maxHold: 10 }), asleep: false });
  made.update(asleep({ maxHold: 10 }));
  await ended;
  expect(reason(heard())).toBe("dev1: it was put to sleep again");
});

it.each(["wake", "wait"])("ends what greets as `drawbridge %s` and never closes", async (word) => {
  const { listener: made, at } = await listener({ maxHold: 10 });
  await client(at, greeting);
  const socket = connect({ port: at, host: "127.0.0.1", allowHalfOpen: true });
  opened.push(socket.resume());
  socket.write(`SSH-2.0-drawbridge-${word}\r\n`);
  await until(() => scaled.length === 1);
  starts();
  await until(() => lines.some(({ outcome }) => outcome === "awake"));
  await sleep(2200);
  expect(made.connections).toBe(1);
});

it("who only waits wakes nobody", async () => {
  const { at } = await listener({ maxHold: 10 });
  const { heard, ended } = await client(at, "SSH-2.0-drawbridge-wait\r\n");
  await ended;
  expect(reason(heard())).toBe("dev1: it is asleep; connecting wakes it");
  expect(scaled).toEqual([]);
});

it("asks again until the API server has taken it", async () => {
  apiFault = new Error("connect ECONNREFUSED");
  const { at } = await listener({ maxHold: 10 });
  const { heard } = await client(at, greeting, 8);
  await sleep(300);
  apiFault = undefined;
  await until(() => scaled.length === 1);
  starts();
  await until(() => after(heard()).startsWith("SSH-2.0-own"));
});

it("tells those who may not wake it, and holds no more than it may", async () => {
  const off = await listener({ running: false });
  const refused = await client(off.at, greeting);
  await refused.ended;
  expect(reason(refused.heard())).toBe("dev1: it is switched off by its stack (running: false)");
  const { at } = await listener({ maxHold: 10 });
  for (let held = 0; held < 3; held += 1) await client(at, greeting);
  await until(() => scaled.length === 1);
  await sleep(100);
  const fourth = await client(at, greeting);
  await fourth.ended;
  expect(reason(fourth.heard())).toBe("dev1: 3 connections wait for it already");
});

it("a crowd wakes it once, silent connections keep nobody out, and joined ones do not count as waiting", async () => {
  const { listener: seen, at } = await listener({ maxHold: 10 });
  const silent = await Promise.all(Array.from({ length: 5 }, () => client(at, "")));
  await until(() => seen.connections === 3);
  const crowd = await Promise.all(Array.from({ length: 8 }, () => client(at, greeting, 8)));
  const told = () => crowd.filter(({ heard }) => after(heard()) !== "");
  await until(() => told().length === 5);
  expect(told().map(({ heard }) => reason(heard()))).toEqual(
    Array(5).fill("dev1: 3 connections wait for it already"),
  );
  expect(scaled.length).toBe(1);
  starts();
  await until(() => told().filter(({ heard }) => after(heard()).startsWith("SSH-2.0-own")).length === 3);
  const later = await client(at, greeting);
  await until(() => after(later.heard()).startsWith("SSH-2.0-own"));
  expect(silent.map(({ heard }) => heard())).toEqual(["", "", "", "", ""]);
});

it("after a stop, who comes again and again is told to pause; the command wakes", async () => {
  const { listener: seen, at } = await listener({ maxHold: 10 });
  seen.update({ ...asleep({ maxHold: 10 }), asleep: false });
  seen.update(asleep({ maxHold: 10 }));
  const again = await client(at, greeting);
  await again.ended;
  expect(reason(again.heard())).toMatch(
    /^dev1: it is asleep, and reconnecting does not wake it; try again in 60 s/,
  );
  expect(scaled).toEqual([]);
  await client(at, "SSH-2.0-drawbridge-wake\r\n");
  await until(() => scaled.length === 1);
});

it("woken by somebody else, its Service is given back all the same", async () => {
  const { listener: seen } = await listener();
  starts();
  seen.update({ ...asleep(), asleep: false });
  await until(() => arrived === 1);
  expect(scaled).toEqual([]);
});

it("a client that goes while it waits leaves nothing behind", async () => {
  const { listener: seen, at } = await listener({ maxHold: 10 });
  const { socket } = await client(at, greeting);
  await until(() => scaled.length === 1);
  socket.destroy();
  await until(() => seen.connections === 0);
  expect(lines.map(({ outcome }) => outcome)).toEqual(["wake", "client gone"]);
});

it("a container that is gone is waited for no more: clients are told, and the watch of its pod ends", async () => {
  const { listener: seen, at } = await listener({ maxHold: 10 });
  const { heard, ended } = await client(at, greeting, 8);
  await until(() => watches.length > 0);
  expect(watches.map(({ aborted }) => aborted)).not.toContain(true);
  seen.abandon();
  await ended;
  expect(reason(heard())).toBe("dev1: it is gone, or may no longer sleep");
  expect(watches.map(({ aborted }) => aborted)).not.toContain(false);
});
