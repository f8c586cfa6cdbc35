/** Clients without a key against the gateway's and sshd's limits, each attack beside its accepted twin. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, gatewayStats, getObject, kubectl, Laptop } from "../../scripts/lib/lab/lab.ts";
import { type Answers, askFromOutside, type Job, type Knocks } from "../support/clients/many-clients.ts";
import {
  byGateway,
  endStack,
  noLimits,
  testContainer,
  testGateway,
  testNamespace,
} from "../support/lab/cluster.ts";

const gatewayName = "gw-flood";
const team = "team-flood";
const host = (name: string) => `${name}.${team}.dev.example.com:22`;
const ok = "200 OK";
const over = "429 Too Many Requests";
/** A client that has never been here. */
let addresses = 10;
const stranger = () => `192.0.2.${addresses++}`;

let laptop: Laptop;
let address: string;
let replicas = 1;
let limits = {};
let stack: Awaited<ReturnType<typeof testStack>>;

async function program() {
  // The limits are those that everybody gets.
  const gateway = testGateway(gatewayName, { connectionLimits: limits, replicas });
  const namespace = testNamespace(team);
  const containers = ["one", "two"].map((name) =>
    testContainer(name, { namespace: team, authorizedKeys: [laptop.publicKey], access: byGateway(gateway) }, [
      namespace,
    ]),
  );
  return {
    address: gateway.address,
    sshConfig: containers.map(({ sshConfig }) => sshConfig),
    knownHosts: containers.map(({ knownHosts }) => knownHosts),
  };
}

const up = async () => {
  const { outputs } = await stack.stack.up();
  address = outputs.address?.value as string;
  const texts = (name: string) => ((outputs[name]?.value ?? []) as string[]).join("\n");
  await laptop.configure(texts("sshConfig"), texts("knownHosts"));
};

const ask = (...jobs: Job[]): Promise<Answers[]> => askFromOutside({ address, port: 80 }, jobs);
const knocks = (from: string, name: string, times: number, further: Partial<Knocks> = {}): Knocks => ({
  from,
  authority: host(name),
  times,
  ...further,
});

async function login(name: string): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await laptop.ssh([name, "true"]);
  if (code !== 0) throw new Error(`a login to ${name}: ${stderr.trim()}`);
  return (performance.now() - began) / 1000;
}

beforeAll(async () => {
  laptop = await Laptop.create("flood");
  stack = await testStack(program);
  await up();
  for (const name of ["one", "two"]) await eventually(`a login to ${name}`, () => login(name), 90);
});

afterAll(() => endStack(stack, [team], laptop));

describe("a client that asks too often", () => {
  it("gets 30 tunnels to one container at once, then 429; to another container, and from elsewhere, 200", async () => {
    const from = stranger();
    const [first, other, elsewhere] = await ask(
      knocks(from, "one", 40, { atOnce: true }),
      knocks(from, "two", 1),
      knocks(stranger(), "one", 1),
    );
    // One every three seconds comes back meanwhile.
    const refused = first?.[over] ?? 0;
    expect(first).toEqual({ [ok]: 40 - refused, [over]: refused });
    expect(refused).toBeGreaterThanOrEqual(8);
    expect(refused).toBeLessThanOrEqual(10);
    expect([other, elsewhere]).toEqual([{ [ok]: 1 }, { [ok]: 1 }]);
  });

  const spent = (from: string) => knocks(from, "one", 40, { atOnce: true });
  it.each<[string, Partial<Knocks>]>([
    ["capitals", { authority: host("ONE").toUpperCase() }],
    ["mixed letters", { authority: "oNe.Team-Flood.dev.example.com:22" }],
    ["the name inside the cluster", { authority: `one.${team}.svc.cluster.local:22` }],
    ["HTTP/1.0", { version: "1.0" }],
    ["streams of one HTTP/2 connection", { version: "2" }],
    ["another X-Forwarded-For each time", { headers: "X-Forwarded-For: 198.51.100.#\r\n" }],
    ["a chain in X-Forwarded-For", { headers: "X-Forwarded-For: 198.51.100.#, 203.0.113.#\r\n" }],
    ["another Forwarded", { headers: "Forwarded: for=198.51.100.#\r\n" }],
    ["Envoy's own header of a trusted client", { headers: "X-Envoy-External-Address: 198.51.100.#\r\n" }],
    ["X-Real-IP", { headers: "X-Real-IP: 198.51.100.#\r\n" }],
    ["Envoy's header of an internal request", { headers: "X-Envoy-Internal: true\r\n" }],
    ["a cluster named in a header", { headers: "X-Envoy-Original-Dst-Host: 198.51.100.#:22\r\n" }],
  ])("is over by %s too, while the same from elsewhere is accepted", async (_what, further) => {
    const from = stranger();
    const [, again, elsewhere] = await ask(
      spent(from),
      knocks(from, "one", 5, { ...further, atOnce: true }),
      knocks(stranger(), "one", 3, further),
    );
    const [accepted, refused] = further.version === "2" ? ["200 over HTTP/2", "429 over HTTP/2"] : [ok, over];
    // One or two have come back while the last of them waited.
    expect(again?.[refused]).toBeGreaterThanOrEqual(2);
    expect((again?.[refused] ?? 0) + (again?.[accepted] ?? 0)).toBe(5);
    expect(elsewhere).toEqual({ [accepted]: 3 });
  });

  it("cannot try out names for ever: what is refused for another reason counts too", async () => {
    const from = stranger();
    const [names, afterwards, elsewhere] = await ask(
      knocks(from, "none", 340),
      knocks(from, "one", 1),
      knocks(stranger(), "none", 1),
    );
    expect(Object.keys(names ?? {}).sort()).toEqual(["404 Not Found", over]);
    expect(names?.["404 Not Found"]).toBeGreaterThanOrEqual(300);
    expect(names?.["404 Not Found"]).toBeLessThan(340);
    expect(Object.keys(afterwards ?? {})).toEqual([over]);
    expect(elsewhere).toEqual({ "404 Not Found": 1 });
  });
});

describe("a client that asks for nothing", () => {
  it.each([
    ["nothing at all", "", { "no answer": 30 }],
    ["half a request", `CONNECT ${host("one")} HTTP/1.1\r\nHost:`, { "408 Request Timeout": 10 }],
  ])("says %s, and is sent away", async (_what, says, expected) => {
    const [answer] = await ask({ from: stranger(), says });
    const [[status, seconds] = ["", 0]] = Object.entries(expected);
    expect(Object.keys(answer ?? {})).toEqual([status]);
    expect(answer?.[status]).toBeGreaterThanOrEqual(seconds);
    expect(answer?.[status]).toBeLessThanOrEqual(seconds + 3);
  });

  it("holds a tunnel without logging in for half a minute; a session of that age goes on", async () => {
    const session = laptop.openCounter("one", 1000);
    try {
      await session.reached(2);
      const request = `CONNECT ${host("one")} HTTP/1.1\r\nHost: ${host("one")}\r\n\r\n`;
      const [answer] = await ask({ from: stranger(), says: request });
      expect(Object.keys(answer ?? {})).toEqual([ok]);
      // sshd takes up to a fifth off, at random.
      expect(answer?.[ok]).toBeGreaterThanOrEqual(20);
      expect(answer?.[ok]).toBeLessThanOrEqual(35);
      await session.reached(36, 60);
      expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
    } finally {
      await session.close();
    }
  });
});

describe("a flood: 500 tunnels at once, then 200 new connections a second for a minute, from one address", () => {
  const counters = ["listener_manager_listener_in_place_updated", "listener_manager_listener_modified"];
  const restarts = async () => {
    const { status } = await getObject<{ status: { containerStatuses: { restartCount: number }[] } }>([
      "-n",
      team,
      "pod",
      "one-0",
    ]);
    return status.containerStatuses.map(({ restartCount }) => restartCount);
  };

  it("lets 20 of 20 logins from another address pass, and cuts no session", async () => {
    replicas = 2;
    await up();
    await kubectl(["-n", gatewayName, "rollout", "status", "deployment", gatewayName, "--timeout=120s"]);
    const session = laptop.openCounter("one", 500);
    try {
      await session.reached(2, 60);
      const before = await gatewayStats(gatewayName, `app.kubernetes.io/instance=${gatewayName}`, counters);
      const flood = ask({
        from: stranger(),
        authority: host("one"),
        tunnels: 500,
        perSecond: 200,
        seconds: 60,
      });
      // So that nothing is unhandled when a login fails.
      flood.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 3000));
      const times: number[] = [];
      while (times.length < 20) {
        times.push(await login("one"));
        // The owner is a client with limits too.
        await new Promise((resolve) => setTimeout(resolve, 1500));
      }
      const [answers = {}] = await flood;
      console.log(
        `flood ${JSON.stringify(answers)}, logins ${times.map((time) => time.toFixed(2)).join(" ")} s`,
      );
      const passed = answers[ok] ?? 0;
      expect(answers).toEqual({ [ok]: passed, [over]: 12_500 - passed });
      // Two proxies, each with 30 at once and 20 a minute.
      expect(passed).toBeGreaterThanOrEqual(60);
      expect(passed).toBeLessThanOrEqual(2 * (30 + 25));
      expect(times.length).toBe(20);
      expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
      expect(await restarts()).toEqual([0]);
      expect(await gatewayStats(gatewayName, `app.kubernetes.io/instance=${gatewayName}`, counters)).toEqual(
        before,
      );
    } finally {
      await session.close();
    }
  });

  it("keeps the owner out where there are no limits, so the limits are what helps", async () => {
    limits = noLimits;
    replicas = 1;
    await up();
    // Tunnels through the proxy that goes would end with it and make room at sshd.
    await eventually("one proxy", async () => {
      const pods = await kubectl(["-n", gatewayName, "get", "pods", "-o", "name"]);
      return pods.trim().split("\n").length === 1;
    });
    await eventually("no limit", async () => {
      const [answers] = await ask(knocks(stranger(), "one", 40, { atOnce: true }));
      return answers?.[ok] === 40;
    });
    await login("two");
    const from = stranger();
    // Beyond its half sshd refuses at random, so it takes many more than it has room for to fill it.
    const flood = ask({ from, authority: host("two"), tunnels: 500, perSecond: 200, seconds: 25 });
    flood.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const codes: number[] = [];
    for (let tried = 0; tried < 3; tried++) {
      codes.push((await laptop.ssh(["-o", "ConnectTimeout=5", "two", "true"])).code);
    }
    expect(codes).toEqual([255, 255, 255]);
    await flood;
  });
});
