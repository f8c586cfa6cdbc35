/** Sessions over the life of the proxies: more of them, fewer, a new template; quiet ones; and their end. */
import { selectorLabels } from "@drawbridge-iac/drawbridge/src/kubernetes/labels";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import {
  apply,
  type CounterSession,
  eventually,
  gatewayStats,
  kubectl,
  Laptop,
  run,
} from "../../scripts/lib/lab/lab.ts";
import { byGateway, endStack, testContainer, testGateway, testNamespace } from "../support/lab/cluster.ts";
import { connectionManagerFilter } from "../support/seed-design.ts";
import {
  addSeedRoute,
  closeAll,
  openCounters,
  podsOf,
  proxyPods,
  seedBlock,
  tunnelsIn,
} from "../support/stacks/gateways.ts";

const team = "team-life";
const name = "gw-life";
/** Long enough for Envoy's spreading of ends over the last third of its drain time; it skips that of a short one. */
const drainSeconds = 24;
/** The gateway that is run by seed 002's own design. */
const baseline = "gw-life-seed";

let laptop: Laptop;
let address: string;
let replicas = 1;
let memory = "128Mi";
let audit = true;
let containers = ["base", "leaving"];
let stack: Awaited<ReturnType<typeof testStack>>;

async function program() {
  const resources = { requests: { cpu: "50m", memory } };
  const gateway = testGateway(name, { domain: "life.example.com", drainSeconds, replicas, resources, audit });
  const seeds = testGateway(baseline, { domain: "seed.example.com", admissionPolicy: false, audit: false });
  const namespace = testNamespace(team);
  const declared = containers.map((container) =>
    testContainer(
      container,
      {
        namespace: team,
        access: byGateway(gateway),
        authorizedKeys: [laptop.publicKey],
        resources: { requests: { cpu: "20m" }, memory: "512Mi" },
        pod: { stopWarningSeconds: 0, terminationGracePeriodSeconds: 5 },
        ingress: [{ namespace: baseline, ports: [22] }],
      },
      [namespace],
    ),
  );
  return {
    address: gateway.address,
    sshConfig: declared.map((container) => container.sshConfig),
    knownHosts: declared.map((container) => container.knownHosts),
    seed: seeds.address,
  };
}

async function up(): Promise<void> {
  const { outputs } = await stack.stack.up();
  address = outputs.address?.value as string;
  const texts = (output: string) => ((outputs[output]?.value ?? []) as string[]).join("\n");
  const seed = seedBlock("by-seed", outputs.seed?.value as string, "base", team);
  await laptop.configure(`${seed}\n${texts("sshConfig")}`, texts("knownHosts"));
}

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(program);
  await up();
  await addSeedRoute(baseline, "base", team);
  for (const way of ["base", "leaving", "by-seed"]) await laptop.login(way);
});

afterAll(() => endStack(stack, [team], laptop));

describe("proxies that come and go", () => {
  /** Changes the gateway; how long the sessions of leaving pods lived after those were told to stop, in seconds. */
  async function livesAfter(sessions: CounterSession[], change: () => Promise<void>): Promise<number[]> {
    const before = new Map<string, number>();
    for (const pod of await proxyPods(name)) before.set(pod.name, await tunnelsIn(name, pod.name));
    // Nobody else uses this gateway.
    const alive = sessions.filter((session) => session.alive).length;
    expect([...before.values()].reduce((sum, count) => sum + count, 0)).toBe(alive);

    const stoppedAt = new Map<string, number>();
    const watch = setInterval(() => {
      proxyPods(name)
        .then((pods) => {
          for (const pod of pods) if (pod.stoppedAt !== undefined) stoppedAt.set(pod.name, pod.stoppedAt);
        })
        // A question that was not answered is asked again; a pod takes seconds to leave.
        .catch(() => {});
    }, 1000);
    try {
      await change();
      const lost = () => sessions.filter((session) => !session.alive);
      const onLeaving = () => [...stoppedAt.keys()].reduce((sum, pod) => sum + (before.get(pod) ?? 0), 0);
      const gone = async () => (await proxyPods(name)).every((pod) => pod.stoppedAt === undefined);
      await eventually("the end of the leaving proxies", gone, drainSeconds + 120);
      // Those that stay must outlive the leaving proxies.
      await new Promise((resolve) => setTimeout(resolve, drainSeconds * 2 * 1000));
      expect(lost().length).toBe(onLeaving());
      expect(sessions.every((session) => session.unbroken)).toBe(true);
      const last = Math.max(...stoppedAt.values());
      return lost().map((session) => ((session.endedAt ?? 0) - last) / 1000);
    } finally {
      clearInterval(watch);
    }
  }

  const told = (lives: number[], of: number) =>
    `${lives.length} of ${of} sessions were on leaving proxies and lived ${Math.min(...lives).toFixed(1)} to ${Math.max(...lives).toFixed(1)} s on (drain window: ${drainSeconds} s, grace period: ${drainSeconds + 30} s)`;

  it("touch no session by growing; by shrinking only those on leaving proxies, and only after the drain", async () => {
    const sessions = await openCounters(laptop, "base", 4);
    try {
      replicas = 3;
      expect(await livesAfter(sessions, up)).toEqual([]);
      sessions.push(...(await openCounters(laptop, "base", 20)));
      replicas = 1;
      const lives = await livesAfter(sessions, up);
      console.log(`3 to 1: ${told(lives, sessions.length)}`);
      expect(lives.length).toBeGreaterThan(0);
      // The pod's stamp keeps whole seconds.
      expect(Math.min(...lives)).toBeGreaterThan(drainSeconds - 1);
    } finally {
      await closeAll(sessions);
    }
  });

  it("keep the old template's sessions to the end of the drain, while new logins pass", async () => {
    const sessions = await openCounters(laptop, "base", 5);
    try {
      memory = "160Mi";
      const lives = await livesAfter(sessions, async () => {
        await up();
        expect(await laptop.ssh(["base", "echo new"])).toMatchObject({ code: 0, stdout: "new\n" });
      });
      console.log(`new template: ${told(lives, sessions.length)}`);
      expect(lives.length).toBe(5);
      expect(Math.min(...lives)).toBeGreaterThan(drainSeconds - 1);
    } finally {
      await closeAll(sessions);
    }
  });
});

it("a listener that changes keeps its sessions for the whole drain", async () => {
  const sessions = await openCounters(laptop, "base", 5);
  try {
    audit = false;
    const began = Date.now();
    await up();
    await eventually("the end", async () => !sessions.some((session) => session.alive), drainSeconds * 3);
    const lives = sessions.map((session) => ((session.endedAt ?? 0) - began) / 1000);
    console.log(
      `a listener that changed: ended ${Math.min(...lives)} to ${Math.max(...lives)} s after \`pulumi up\` began`,
    );
    expect(Math.min(...lives)).toBeGreaterThan(drainSeconds);
    expect(sessions.every((session) => session.unbroken)).toBe(true);
  } finally {
    await closeAll(sessions);
  }
});

it("a tunnel ends with its container, and no other", async () => {
  const [leaving, base] = [laptop.openCounter("leaving"), laptop.openCounter("base")];
  try {
    await Promise.all([leaving.reached(5), base.reached(5)]);
    containers = ["base"];
    await up();
    await eventually("the end", async () => !leaving.alive);
    await base.reached(base.lines.length + 5);
    expect([leaving.unbroken, base.alive, base.unbroken]).toEqual([true, true, true]);
  } finally {
    await closeAll([leaving, base]);
  }
});

describe("time-outs a hundredth of Envoy's five minutes", () => {
  const shortened = "short-timeouts";
  /** Every time-out of the connection manager that could end a quiet stream. */
  const shortTimeouts = (gateway: string) =>
    connectionManagerFilter(
      { name: shortened, namespace: gateway, selector: selectorLabels("ssh-gateway", gateway) },
      {
        stream_idle_timeout: "3s",
        request_timeout: "3s",
        request_headers_timeout: "3s",
        common_http_protocol_options: { idle_timeout: "3s", max_stream_duration: "3s" },
      },
    );
  const updates = "listener_manager_listener_in_place_updated";
  const updatesOf = async (gateway: string) =>
    (await gatewayStats(gateway, podsOf(gateway), [updates]))[updates] ?? 0;

  beforeAll(async () => {
    for (const gateway of [name, baseline]) {
      const before = await updatesOf(gateway);
      await apply(shortTimeouts(gateway));
      await eventually("the time-outs' arrival", async () => (await updatesOf(gateway)) > before);
    }
  });
  afterAll(async () => {
    for (const gateway of [name, baseline])
      await kubectl(["-n", gateway, "delete", "envoyfilter", shortened]);
  });

  // Neither side sends anything meanwhile: the client asks for no sign of life, sshd only after 60 s.
  const quiet = (host: string) =>
    laptop.ssh(["-o", "ServerAliveInterval=0", host, "echo begun; sleep 15; echo still"]);

  it("are in force: a request that does not end is answered after 3 s", async () => {
    const stalled = `(printf 'CONNECT a:22 HTTP/1.1\\r\\n'; sleep 10) | nc -w 12 ${address} 80`;
    expect((await run("sh", ["-c", stalled])).stdout.split("\r\n")[0]).toBe("HTTP/1.1 408 Request Timeout");
  });

  it("end a session of the seed's design that is quiet for five times as long", async () => {
    expect(await quiet("by-seed")).toMatchObject({ code: 255, stdout: "begun\n" });
  });

  it("but none of ours", async () => {
    expect(await quiet("base")).toMatchObject({ code: 0, stdout: "begun\nstill\n" });
  });
});
