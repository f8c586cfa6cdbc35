import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { DevContainerInput } from "../../dev-container/args.ts";
import { faultsOf, gateway, planOf } from "../../dev-container/plan.fixture.ts";
import { parseArgs } from "../../kit/args-error.ts";
import { cases, faultsFrom } from "../../kit/faults.fixture.ts";
import { sshGatewaySchema } from "../../ssh-gateway/args-checks.ts";
import { idleAgentScript, idleProgramText, idleSettingsText } from "../sshd/idle-agent.ts";
import { alwaysAwake, reportEvery, scheduleMinutes } from "./plan.ts";

const idleGateway = {
  ...gateway,
  idle: {
    namespace: "ssh-ingress",
    cullerServiceAccountName: "ssh-culler",
    activatorServiceAccountName: "ssh-activator",
    gpuMetrics: false,
  },
};
const withIdle = (idle: object = {}, more: object = {}) => ({
  access: { gateway: idleGateway },
  idle,
  ...more,
});
const plan = (idle: object = {}, more: object = {}) =>
  planOf(withIdle(idle, more) as Partial<DevContainerInput>);

describe("the faults of a container's sleep", () => {
  it.each(cases`
    { stopAfterSeconds: "2h", silentSessionSeconds: 5, wakeTimeoutSeconds: 3600 }
      → idle.stopAfterSeconds: must be a whole number, not "2h"
      → idle.silentSessionSeconds: 5 is out of range
      → idle.wakeTimeoutSeconds: 3600 is out of range
    { stopAfterSeconds: 10, silentSessionSeconds: 15 }
      → idle.stopAfterSeconds: 10 must be more than the 15 s of pod.stopWarningSeconds, in which a user can object
      → idle.silentSessionSeconds: 15 must be more than the 15 s of pod.stopWarningSeconds, in which a user can object
    { stopAfterSeconds: 7200, silentSessionSeconds: 3600 }
      → idle.silentSessionSeconds: 3600 is below stopAfterSeconds (7200): an open session would keep the container awake for less time than a closed one
    { signals: { gpuAbovePercent: 5, cpuAbove: "0" } }
      → idle.signals.gpuAbovePercent: has no source, because the gateway's idle has no gpuMetrics
      → idle.signals.gpuAbovePercent: has no effect without a GPU
      → idle.signals.cpuAbove: 0 is always exceeded, so the container would never sleep
    { wake: "onconnect" } → idle.wake: "onconnect" is not one of onConnect, byCommand, never
    { keepAwake: [{ from: "08:00", until: "08:00", timeZone: Europe/Berlin }, { from: "00:00", until: "12:00", timeZone: Europe/Berlin }, { from: "11:00", until: "24:00", timeZone: Europe/Berlin }, { from: "8:00", until: "25:00", timeZone: Mars/Olympus }, { days: [], from: "08:00", until: "10:00", timeZone: "+02:00" }] }
      → idle.keepAwake[3].from: "8:00" is not a time of day
      → idle.keepAwake[3].until: "25:00" is not a time of day
      → idle.keepAwake[3].timeZone: "Mars/Olympus" is not a time zone
      → idle.keepAwake[4].days: has no day, so it never applies
      → idle.keepAwake[4].timeZone: "+02:00" is not a time zone
      → idle.keepAwake[0].until: 08:00 is also when it begins, so it covers no time
      → idle.keepAwake[0]: covers the whole week together with the others in Europe/Berlin, so the container would never sleep
    { keepAwake: ${Array(101).fill({ from: "08:00", until: "09:00", timeZone: "Europe/Berlin" })} } → idle.keepAwake: has more than 100 times
  `)("%s", (_, idle, faults) => {
    expect(faultsOf(withIdle(idle)).toSorted()).toEqual(faults.toSorted());
  });

  it("nobody who could see to it: no gateway, one without idle, sshd elsewhere", () => {
    expect(faultsOf({ idle: {}, access: { sshpod: { users: ["alice"] } } })).toEqual([
      "access.gateway: is missing",
    ]);
    expect(faultsOf({ idle: {}, access: { gateway } })).toEqual([
      "access.gateway.idle: is missing: the gateway ssh-ingress/ssh does not put containers to sleep",
    ]);
    expect(faultsOf(withIdle({}, { ssh: { mode: "sidecar", image: "shell:1" } }))).toEqual([
      'idle: needs ssh.mode "image" or "injected": with "sidecar" the activity of programs cannot be measured',
    ]);
    expect(faultsOf({ idle: { enabled: false }, access: { gateway } })).toEqual([]);
  });
});

describe("schedules", () => {
  it.each([
    ["a working day", { days: ["monday"], from: "08:00", until: "18:00" }, [[480, 1080]]],
    ["a night", { days: ["monday"], from: "22:00", until: "06:00" }, [[1320, 1800]]],
    [
      "the night to Monday",
      { days: ["sunday"], from: "22:00", until: "06:00" },
      [
        [0, 360],
        [9960, 10_080],
      ],
    ],
    ["whole days that touch", { days: ["tuesday", "monday"], from: "00:00", until: "24:00" }, [[0, 2880]]],
    ["nothing", { days: ["monday"], from: "08:00", until: "08:00" }, []],
  ] as const)("%s as minutes of the week", (_, schedule, minutes) => {
    expect(scheduleMinutes({ ...schedule, days: [...schedule.days] })).toEqual(minutes);
  });

  it("of two time zones each has to fill the week by itself", () => {
    const half = (from: string, until: string, timeZone: string) => ({
      days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as never,
      ...{ from, until, timeZone },
    });
    expect(alwaysAwake([half("00:00", "12:00", "UTC"), half("12:00", "24:00", "Europe/Berlin")])).toEqual([]);
    expect(alwaysAwake([half("00:00", "12:00", "UTC"), half("12:00", "24:00", "UTC")])).toEqual(["UTC"]);
  });
});

describe("the agent", () => {
  it.each([
    [7200, 43_200, 60],
    [20, 60, 2],
    [300, 43_200, 30],
  ])(
    "after %i s, and %i s for sessions, reports every %i s or so",
    (stopAfterSeconds, silentSessionSeconds, every) => {
      expect(reportEvery({ stopAfterSeconds, silentSessionSeconds } as never)).toBe(every);
    },
  );

  it.each(["sh", "bash --posix"])("is a program that %s can read", (shell) => {
    const [program = "", ...args] = shell.split(" ");
    for (const text of [idleAgentScript(plan()) as string, idleProgramText(plan())]) {
      const { status, stderr } = spawnSync(program, [...args, "-n"], { input: text, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    }
  });

  /** Runs it beside a start script that ends at the first fault; `reports` has its lines so far. */
  async function runs(
    more: object,
    then: (reports: () => string[], ask: (...args: string[]) => SpawnSyncReturns<string>) => Promise<void>,
    times = { stopAfterSeconds: 20, silentSessionSeconds: 40 },
    settings = (text: string) => text,
  ) {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-agent-"));
    // Labs on this machine have sessions of the usual user.
    const user = { name: "nobody-here" };
    const idle = plan(times, { user, ...more });
    const own = (text: string) =>
      text.replaceAll("/etc/drawbridge/sshd", folder).replaceAll("/run/drawbridge", join(folder, "run"));
    await writeFile(
      join(folder, "idle.conf"),
      settings(idleSettingsText(idle, idle.idle as never) as string),
    );
    await writeFile(join(folder, "idle"), own(idleProgramText(idle)), { mode: 0o755 });
    const child = spawn("sh", ["-euc", `${own(idleAgentScript(idle) as string)}wait`], { detached: true });
    try {
      let said = "";
      child.stdout.on("data", (bytes: Buffer) => {
        said += bytes.toString();
      });
      await then(
        () => said.split("\n").filter((line) => line.startsWith("drawbridge-idle: up=")),
        (...args) => spawnSync(join(folder, "idle"), args, { encoding: "utf8" }),
      );
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid);
      await rm(folder, { recursive: true, force: true });
    }
  }
  const soon = { timeout: 20_000 };

  it("reports again and again, holds, and sleeps when it is asked to", () =>
    runs({}, async (reports, ask) => {
      await vi.waitUntil(() => reports().length >= 2, soon);
      expect(reports().at(-1)).toMatch(
        /^drawbridge-idle: up=\d+ sessions=0 terminals=\d+ used=0 quiet=\d+ cpuQuiet=\d+ millicores=\d+ hold=0 commands=0 asked=0 warned=-1$/,
      );
      expect([ask("hold", "8h").stdout, ask("hold", "8 hours").status, ask().status]).toEqual([
        "held awake for 8h\n",
        2,
        2,
      ]);
      await vi.waitUntil(() => /hold=28[78]\d\d /.test(reports().at(-1) ?? ""), soon);
      expect(ask("hold", "--", "sh", "-c", "exit 7").status).toBe(7);
      expect(ask("release").status).toBe(0);
      expect(ask("sleep").status).toBe(0);
      await vi.waitUntil(() => / hold=0 commands=0 asked=1 /.test(reports().at(-1) ?? ""), soon);
    }));

  it("counts an open connection to a port that the gateway leads to, and to no other", async () => {
    const [through, inside] = [createServer(), createServer()];
    for (const server of [through, inside]) await once(server.listen(0, "127.0.0.1"), "listening");
    const portOf = (server: Server) => (server.address() as AddressInfo).port;
    const ports = [
      { name: "web", port: portOf(through), throughGateway: true },
      { name: "own", port: portOf(inside) },
    ];
    try {
      await runs({ ports }, async (reports) => {
        const other = connect(portOf(inside), "127.0.0.1");
        const one = connect(portOf(through), "127.0.0.1");
        await vi.waitUntil(() => reports().at(-1)?.includes(" sessions=1 "), soon);
        expect(reports().at(-1)).toContain(" used=1 ");
        one.destroy();
        await vi.waitUntil(() => reports().at(-1)?.includes(" sessions=0 "), soon);
        other.destroy();
      });
    } finally {
      for (const server of [through, inside]) server.close();
    }
  });

  it("tells of a newcomer at once, not at the end of a minute, also beside a silent session", async () => {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    try {
      await runs(
        { ports: [{ name: "web", port, throughGateway: true }] },
        async (reports, ask) => {
          await vi.waitUntil(() => reports().length === 1, soon);
          const client = connect(port, "127.0.0.1");
          await vi.waitUntil(() => reports().length === 2, soon);
          expect(reports()[1]).toMatch(/ sessions=1 terminals=\d+ used=1 quiet=[01] /);
          await vi.waitUntil(() => {
            ask("release");
            return / sessions=1 .* quiet=[3-9] /.test(reports().at(-1) ?? "");
          }, soon);
          const other = connect(port, "127.0.0.1");
          await vi.waitUntil(() => reports().at(-1)?.includes(" sessions=2 "), soon);
          expect(reports().at(-1)).toMatch(/ used=1 quiet=[01] /);
          for (const each of [client, other]) each.destroy();
        },
        { stopAfterSeconds: 7200, silentSessionSeconds: 43_200 },
        (text) => text.replace(/^silent=.*/m, "silent=3"),
      );
    } finally {
      server.close();
    }
  });
});

describe("the gateway's side", () => {
  const parsed = (args: object) =>
    parseArgs("SshGateway", "ssh", sshGatewaySchema, {
      domain: "dev.example.com",
      loadBalancer: { preset: "generic" },
      ...args,
    });
  const egress = { apiServer: [{ cidr: "10.96.0.1/32" }] };

  it("needs the API server's address and the policies", () => {
    const faults = (args: object) => faultsFrom(() => parsed(args)).toSorted();
    expect(
      faults({
        admissionPolicy: false,
        idle: { image: "idle", gpuMetrics: { prometheus: "prometheus:9090", namespace: "m" } },
      }),
    ).toEqual([
      "admissionPolicy: is needed by idle, because it restricts what the activator may write",
      "egress.apiServer: is needed by idle",
      "idle.gpuMetrics.prometheus: is not an address of a Prometheus",
      'idle.image: "idle" is not a pinned image',
    ]);
    expect(faults({ egress })).toEqual([
      "egress.apiServer: has no effect without idle, whose pods alone use it",
    ]);
  });
});
