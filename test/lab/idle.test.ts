/**
 * Sleep and wake over the real gateway, kubelet and OpenSSH. Times are those of a container's file, in seconds where people
 * would write hours: the culler and the agent know no other scale.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DevContainerArgs } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testContainer, testGateway, testNamespace } from "../support/cluster.ts";
import { testStack } from "../support/engine.ts";
import { eventually, gatewayStats, getObject, kubectl, Laptop, run } from "../support/lab.ts";

const team = "team-idle";
const gatewayName = "gw-idle";
const wakes = Number(process.env.DRAWBRIDGE_WAKES ?? 100);
const many = Number(process.env.DRAWBRIDGE_SLEEPERS ?? 20);

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let address: string;

const times = {
  stopAfter: "60s",
  silentSessions: "90s",
  // The node of a lab is busy, and who asks for little gets little.
  signals: { trafficAbove: 6000, cpuAbove: "10m" },
} as const;
const stop = { warningSeconds: 4, graceSeconds: 10 };
/** By hand alone, so that nothing sleeps while it is looked at. */
const never = { stopAfter: "1h", silentSessions: "12h" } as const;
const sleepers = Array.from({ length: many }, (_, index) => `s${index + 1}`);

let containers: Record<string, Partial<DevContainerArgs>> = {
  dev1: { idle: never, stop },
  steady: {},
};

async function program() {
  const gateway = testGateway(gatewayName, {
    idle: {
      image: imageRef("idle"),
      apiServer: [{ cidr: "0.0.0.0/0" }],
      everySeconds: 1,
      reconnectPauseSeconds: 0,
      wakesPerHour: 1000,
    },
  });
  const namespace = testNamespace(team);
  const made = Object.entries(containers).map(([name, args]) => {
    const container = testContainer(
      name,
      {
        namespace: team,
        authorizedKeys: [laptop.publicKey],
        access: { gateway: gateway.ref },
        resources: { requests: { cpu: "5m" }, memory: "96Mi" },
        ...args,
      },
      [namespace],
    );
    const { sshConfig, knownHosts, status } = container;
    return [name, { sshConfig, knownHosts, status }] as const;
  });
  return { address: gateway.address, containers: Object.fromEntries(made) };
}

interface Outputs {
  readonly [name: string]: {
    readonly sshConfig: string;
    readonly knownHosts: string;
    readonly status: { readonly phase: string };
  };
}

async function up(): Promise<Outputs> {
  const result = await stack.stack.up();
  address = result.outputs.address?.value as string;
  const outputs = result.outputs.containers?.value as Outputs;
  const text = (field: "sshConfig" | "knownHosts") =>
    Object.values(outputs)
      .map((each) => each[field])
      .join("\n");
  await laptop.configure(text("sshConfig"), text("knownHosts"));
  return outputs;
}

const scale = (name: string, to: number) =>
  kubectl(["-n", team, "scale", "statefulset", name, `--replicas=${to}`]);
const replicas = async (name: string) =>
  (await getObject<{ spec: { replicas: number } }>(["-n", team, "statefulset", name])).spec.replicas;
const podGone = (name: string) =>
  eventually(
    `the end of ${name}-0`,
    async () => (await kubectl(["-n", team, "get", "pod", `${name}-0`, "--ignore-not-found"])) === "",
  );
const sliceOf = async (name: string) =>
  (await kubectl(["-n", team, "get", "endpointslice", `${name}-asleep`, "--ignore-not-found"])) !== "";

/** Asleep, with the activator in its place. */
async function putToSleep(name: string): Promise<void> {
  await scale(name, 0);
  await podGone(name);
  await eventually(`the slice of ${name}`, () => sliceOf(name));
  // What the gateway knows is a moment behind.
  await new Promise((resolve) => setTimeout(resolve, 700));
}

beforeAll(async () => {
  laptop = await Laptop.create("idle");
  stack = await testStack(program);
  await up();
  await eventually("a login", async () => (await laptop.ssh(["dev1", "true"])).code === 0, 90);
});

afterAll(async () => {
  await stack.stack.destroy();
  await kubectl(["delete", "namespace", team, "--ignore-not-found", "--wait=false"]);
  await stack.removeState();
  await laptop.remove();
});

describe("waking", () => {
  it(`plain ssh wakes it ${wakes} times of ${wakes}; no other session loses a line and no listener changes`, async () => {
    const steady = laptop.openCounter("steady");
    await steady.reached(1);
    const hostKey = await laptop.ssh([
      "dev1",
      "cat /run/drawbridge/ssh_host_ed25519_key.pub 2>/dev/null; echo kept > ~/kept",
    ]);
    expect(hostKey.code).toBe(0);
    const counters = [
      "listener_manager_listener_modified",
      "listener_manager_listener_in_place_updated",
      "listener_manager_total_filter_chains_draining",
    ];
    const selector = `app.kubernetes.io/component=ssh-gateway,app.kubernetes.io/instance=${gatewayName}`;
    const before = await gatewayStats(gatewayName, selector, counters);
    const failed: string[] = [];
    const took: number[] = [];
    for (let round = 0; round < wakes; round += 1) {
      await putToSleep("dev1");
      const begun = performance.now();
      const { code, stdout, stderr } = await laptop.ssh(["dev1", "cat ~/kept"], { timeoutSeconds: 60 });
      took.push(performance.now() - begun);
      if (code !== 0 || stdout !== "kept\n") failed.push(`${round}: ${code} ${stderr.trim()}`);
    }
    took.sort((a, b) => a - b);
    console.log(
      `wake: median ${Math.round(took[took.length >> 1] ?? 0)} ms, worst ${Math.round(took.at(-1) ?? 0)} ms`,
    );
    expect(failed).toEqual([]);
    expect([steady.alive, steady.unbroken]).toEqual([true, true]);
    await steady.close();
    expect(await gatewayStats(gatewayName, selector, counters)).toEqual(before);
  });

  it("by scp, by sftp, and by a session that stays", async () => {
    const file = join(laptop.folder, "big");
    await writeFile(file, Buffer.alloc(3_000_000, 7));
    await putToSleep("dev1");
    expect(await laptop.scp([file, "dev1:big"])).toMatchObject({ code: 0 });
    await putToSleep("dev1");
    const batch = await run("sftp", ["-F", laptop.configFile, "-b", "-", "dev1"], {
      env: laptop.env,
      input: "ls -l big\n",
    });
    expect(batch.stdout).toContain("3000000");
    await putToSleep("dev1");
    const session = laptop.openCounter("dev1");
    await session.reached(50);
    await eventually("the end of the slice", async () => !(await sliceOf("dev1")));
    expect((await laptop.ssh(["dev1", "true"])).code).toBe(0);
    expect([session.alive, session.unbroken]).toEqual([true, true]);
    await session.close();
  });

  it("what greets in another way than SSH wakes nobody", async () => {
    await putToSleep("dev1");
    const host = `dev1.${team}.dev.example.com:22`;
    const knock = (text: string) =>
      run("sh", [
        "-c",
        `(printf 'CONNECT ${host} HTTP/1.1\\r\\nHost: ${host}\\r\\n\\r\\n'; sleep 1; printf '${text}'; sleep 2) | nc -w 5 ${address} 80`,
      ]);
    for (const text of ["GET / HTTP/1.1\\r\\n\\r\\n", "\\026\\003\\001\\002", "hello\\r\\n", ""]) {
      expect((await knock(text)).stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    }
    expect(await replicas("dev1")).toBe(0);
    expect((await laptop.ssh(["dev1", "true"], { timeoutSeconds: 60 })).code).toBe(0);
  });

  it("what cannot start ends after maxHold, and ssh says why", async () => {
    containers = {
      ...containers,
      stuck: {
        wait: false,
        idle: { ...never, maxHold: "8s" },
        scheduling: { nodeSelector: { pool: "none" } },
      },
    };
    await up();
    await putToSleep("stuck");
    const begun = performance.now();
    const { code, stderr } = await laptop.ssh(["stuck", "true"], { timeoutSeconds: 60 });
    expect(code).toBe(255);
    expect(stderr).toMatch(/stuck: it did not start within 8 s: no node takes it: .*node\(s\) didn't match/);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});

describe("with Pulumi", () => {
  it("up, refresh and preview change nothing of a sleeping container; a change leaves it asleep", async () => {
    await putToSleep("dev1");
    const preview = await stack.stack.preview();
    expect(Object.keys(preview.changeSummary)).toEqual(["same"]);
    await stack.stack.refresh();
    expect(Object.keys((await stack.stack.preview()).changeSummary)).toEqual(["same"]);
    containers = {
      ...containers,
      dev1: { ...containers.dev1, resources: { requests: { cpu: "6m" }, memory: "100Mi" } },
    };
    expect((await up()).dev1?.status.phase).toBe("Asleep");
    expect(await replicas("dev1")).toBe(0);
    expect((await laptop.ssh(["dev1", "true"], { timeoutSeconds: 60 })).code).toBe(0);
  });

  it("running: false switches it off, awake or asleep, and nobody wakes it; true brings it back", async () => {
    for (const first of [1, 0]) {
      if (first === 0) await putToSleep("dev1");
      await stack.stack.refresh();
      containers = { ...containers, dev1: { ...containers.dev1, running: false } };
      expect((await up()).dev1?.status.phase).toBe("Off");
      await podGone("dev1");
      await eventually("the slice", () => sliceOf("dev1"));
      await new Promise((resolve) => setTimeout(resolve, 700));
      const { code, stderr } = await laptop.ssh(["dev1", "true"]);
      expect([code, stderr]).toEqual([
        255,
        expect.stringContaining("dev1: it is switched off by its stack (running: false)"),
      ]);
      await stack.stack.refresh();
      containers = { ...containers, dev1: { ...containers.dev1, running: true } };
      expect((await up()).dev1?.status.phase).toBe("Ready");
      expect(await replicas("dev1")).toBe(1);
    }
  });
});

describe("sleeping", () => {
  const running: ChildProcess[] = [];
  const say = async (name: string) =>
    JSON.parse(await kubectl(["-n", team, "get", "event", `${name}.drawbridge-culler`, "-o", "json"])) as {
      reason: string;
      message: string;
    };

  /** A session of `ssh` that stays until the end of the test. */
  function open(name: string, args: readonly string[], stdin: "pipe" | "ignore" = "ignore"): ChildProcess {
    const child = spawn("ssh", ["-F", laptop.configFile, ...args.slice(0, -1), name, args.at(-1) ?? ""], {
      env: { ...process.env, ...laptop.env },
      stdio: [stdin, "ignore", "ignore"],
    });
    running.push(child);
    return child;
  }

  const corpus: Record<
    string,
    {
      readonly args?: Partial<DevContainerArgs>;
      readonly begin: (name: string) => Promise<unknown>;
      readonly sleeps: boolean;
      readonly because: string;
    }
  > = {
    left: { begin: (name) => laptop.ssh([name, "true"]), sleeps: true, because: "idle" },
    untouched: { begin: async () => {}, sleeps: true, because: "idle" },
    tmux: {
      begin: (name) => laptop.ssh([name, "tmux new-session -d 'while :; do :; done'"]),
      sleeps: false,
      because: "cpu",
    },
    nohup: {
      begin: (name) => laptop.ssh([name, "nohup sh -c 'while :; do :; done' >/dev/null 2>&1 &"]),
      sleeps: false,
      because: "cpu",
    },
    waits: {
      begin: (name) => laptop.ssh([name, "nohup sleep 1000 >/dev/null 2>&1 &"]),
      sleeps: true,
      because: "idle",
    },
    shell: {
      begin: async (name) => open(name, ["-tt", "sleep 1000"], "pipe"),
      sleeps: true,
      because: "idle",
    },
    forward: {
      begin: async (name) => open(name, ["while :; do head -c 20000 /dev/zero; sleep 1; done"]),
      sleeps: false,
      because: "session",
    },
    held: {
      begin: (name) => laptop.ssh([name, "/etc/drawbridge/sshd/idle hold 8h"]),
      sleeps: false,
      because: "hold",
    },
    command: {
      begin: async (name) =>
        laptop.ssh([name, "nohup /etc/drawbridge/sshd/idle hold -- sleep 1000 >/dev/null 2>&1 &"]),
      sleeps: false,
      because: "command",
    },
    asked: {
      args: { idle: { ...never } },
      begin: (name) => laptop.ssh([name, "/etc/drawbridge/sshd/idle sleep"]),
      sleeps: true,
      because: "asked",
    },
    scheduled: {
      args: {
        idle: {
          ...times,
          keepAwake: [
            {
              days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
              from: "00:00",
              until: "23:59",
              timeZone: "UTC",
            },
          ],
        },
      },
      begin: async () => {},
      sleeps: false,
      because: "schedule",
    },
    silenced: {
      begin: (name) => laptop.ssh([name, "pkill -f '[d]rawbridge-sshd'"]),
      sleeps: false,
      because: "missing",
    },
    "dry-run": {
      args: { idle: { ...times, dryRun: true } },
      begin: async () => {},
      sleeps: false,
      because: "idle",
    },
  };

  it("the corpus, by real programs: what sleeps, what does not, and why", async () => {
    containers = {
      ...containers,
      ...Object.fromEntries(
        Object.entries(corpus).map(([name, { args }]) => [name, { idle: times, stop, ...args }]),
      ),
    };
    await up();
    await Promise.all(
      Object.entries(corpus).map(async ([name, { begin }]) => {
        await eventually(
          `a login to ${name}`,
          async () => (await laptop.ssh([name, "true"], { timeoutSeconds: 90 })).code === 0,
          180,
        );
        await begin(name);
      }),
    );
    try {
      const shouldSleep = Object.entries(corpus)
        .filter(([, { sleeps }]) => sleeps)
        .map(([name]) => name);
      for (const name of shouldSleep) {
        await eventually(`the sleep of ${name}`, async () => (await replicas(name)) === 0, 240);
      }
      const verdicts: Record<string, string> = {};
      for (const name of Object.keys(corpus)) {
        const { reason, message } = await eventually(`the culler's word on ${name}`, () => say(name));
        verdicts[name] =
          `${(await replicas(name)) === 0 ? "asleep" : "awake"}, ${reason}, ${message.split(":")[0]}`;
      }
      expect(verdicts).toEqual(
        Object.fromEntries(
          Object.entries(corpus).map(([name, { sleeps, because }]) => [
            name,
            sleeps
              ? `asleep, Asleep, ${because}`
              : `awake, ${name === "dry-run" ? "WouldSleep" : "Awake"}, ${because}`,
          ]),
        ),
      );
    } finally {
      for (const child of running.splice(0)) child.kill();
    }
  });

  it("people in a terminal are told before, and a key says no", async () => {
    containers = { ...containers, asked: { idle: times, stop } };
    await up();
    await eventually("a login", async () => (await laptop.ssh(["asked", "true"])).code === 0, 90);
    const child = spawn("ssh", ["-F", laptop.configFile, "-tt", "asked", "cat"], {
      env: { ...process.env, ...laptop.env },
      stdio: ["pipe", "pipe", "ignore"],
    });
    let seen = "";
    child.stdout.on("data", (bytes: Buffer) => {
      seen += bytes.toString();
    });
    await eventually("the warning", async () => seen.includes("goes to sleep in 4 s"), 90);
    child.stdin.write("no\n");
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    expect([await replicas("asked"), child.exitCode]).toEqual([1, null]);
    await eventually("the second warning", async () => seen.split("goes to sleep in 4 s").length > 2, 90);
    await eventually("its sleep", async () => (await replicas("asked")) === 0, 60);
    child.kill();
  });
});

describe("many", () => {
  it(`${many} sleepers that are woken at once all arrive`, async () => {
    containers = {
      dev1: containers.dev1 ?? {},
      steady: {},
      ...Object.fromEntries(sleepers.map((name) => [name, { idle: never, stop }])),
    };
    await up();
    for (const name of sleepers) await scale(name, 0);
    for (const name of sleepers) await eventually(`the slice of ${name}`, () => sliceOf(name), 60);
    for (const name of sleepers) await podGone(name);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const outcomes = await Promise.all(
      sleepers.map((name) => laptop.ssh([name, "hostname"], { timeoutSeconds: 240 })),
    );
    expect(outcomes.map(({ stdout }) => stdout.trim())).toEqual(sleepers.map((name) => `${name}-0`));
  });
});
