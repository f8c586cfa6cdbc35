/**
 * What sleeps and what does not, by real programs: each row is a container, what is begun in it, and the verdict. Its times
 * are arguments as people write them, but a minute stands for two hours. In the middle the culler is killed, and from then
 * on there are two of them.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { DevContainerArgs } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, getObject, kubectl } from "../../scripts/lib/lab/lab.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const times = {
  stopAfterSeconds: 90,
  silentSessionSeconds: 120,
  // The node of a lab is busy: who asks for little CPU gets little, and the agent alone has been seen above half of this.
  signals: { trafficAboveBytesPerMinute: 6000, cpuAbove: "60m" },
} as const;
const patient = { idle: { ...times, silentSessionSeconds: 3600 } } as const;
// Limited, because a program that never rests would leave nothing to the others on the node.
const worker = { resources: { cpu: "200m", memory: "96Mi" } } as const;
const week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const today = week[(new Date().getUTCDay() + 6) % 7] ?? "monday";
const inThreeDays = week[(new Date().getUTCDay() + 2) % 7] ?? "monday";

interface Row {
  readonly args?: Omit<Partial<DevContainerArgs>, "namespace">;
  readonly begin?: (name: string) => Promise<unknown>;
  /** The container's state, and the reasons that the culler gives, in its order. */
  readonly verdict: `${"asleep" | "awake" | "would sleep"}: ${string}`;
}

let idle: IdleStack;
const running: ChildProcess[] = [];
const timers: NodeJS.Timeout[] = [];

beforeAll(async () => {
  // Each look reads every container's log; once a second, that would be most of the node's work.
  idle = await IdleStack.create("team-corpus", { idle: { periodSeconds: 5 } });
});
afterAll(async () => {
  for (const timer of timers) clearInterval(timer);
  for (const child of running) child.kill();
  await idle.close();
});

/** A session of `ssh` until the end of the test. Resolves once it is open: a row without its session would show nothing. */
async function open(name: string, command: string, ...options: readonly string[]): Promise<ChildProcess> {
  const last = command === "" ? [name] : [name, command];
  const told = ["-o", "PermitLocalCommand=yes", "-o", "LocalCommand=echo open"];
  for (let tries = 1; tries <= 5; tries += 1) {
    const child = spawn("ssh", ["-F", idle.laptop.configFile, ...told, ...options, ...last], {
      env: { ...process.env, ...idle.laptop.env },
      stdio: ["pipe", "pipe", "ignore"],
    });
    running.push(child);
    const isOpen = await new Promise<boolean>((resolve) => {
      child.stdout.once("data", () => resolve(true));
      child.once("exit", () => resolve(false));
    });
    child.stdout.resume();
    if (isOpen) return child;
  }
  throw new Error(`no session on ${name} was opened in five attempts`);
}

const inside = (command: string) => (name: string) => idle.wake(name, command);
const behind = (command: string) => inside(`nohup sh -c '${command}' >/dev/null 2>&1 &`);
const terminal = (command: string) => (name: string) => open(name, command, "-tt");
const every = (milliseconds: number, act: () => void) => timers.push(setInterval(act, milliseconds));
const schedule = (day: (typeof week)[number]) => [
  { days: [day], from: "00:00", until: "24:00", timeZone: "UTC" },
];

const corpus: Record<string, Row> = {
  untouched: { verdict: "asleep: idle" },
  left: { begin: inside("true"), verdict: "asleep: idle" },
  tmux: { args: worker, begin: inside("tmux new-session -d 'while :; do :; done'"), verdict: "awake: cpu" },
  nohup: { args: worker, begin: behind("while :; do :; done"), verdict: "awake: cpu" },
  niced: { args: worker, begin: behind('nice -n 19 sh -c "while :; do :; done"'), verdict: "awake: cpu" },
  waits: { begin: behind("sleep 1000"), verdict: "asleep: idle" },
  // As a kernel of Jupyter waits for a cell, and an editor's server for its editor.
  "server-left": { begin: behind("python3 -m http.server 8888 --bind 127.0.0.1"), verdict: "asleep: idle" },
  // As rsync waits for a disk.
  blocked: { begin: behind("mkfifo /tmp/disk; cat /tmp/disk"), verdict: "asleep: idle" },
  cron: {
    args: worker,
    begin: behind('while sleep 45; do timeout 8 sh -c "while :; do :; done"; done'),
    verdict: "awake: cpu",
  },
  crashed: { begin: behind("kill -SEGV $$"), verdict: "asleep: idle" },
  shell: { begin: terminal("cat"), verdict: "asleep: idle" },
  typing: {
    begin: async (name) => {
      const child = await open(name, "cat", "-tt");
      every(4000, () => child.stdin?.write("x\n"));
    },
    verdict: "awake: session",
  },
  debugger: { args: patient, begin: terminal("python3 -c 'breakpoint()'"), verdict: "awake: session" },
  editor: { args: patient, begin: terminal("vi /tmp/notes"), verdict: "awake: session" },
  "editor-forgotten": { begin: terminal("vi /tmp/notes"), verdict: "asleep: idle" },
  stream: {
    begin: (name) => open(name, "while :; do head -c 20000 /dev/zero; sleep 1; done"),
    verdict: "awake: session",
  },
  forward: {
    begin: async (name) => {
      const port = "28080";
      await open(name, "python3 -m http.server 8080 --bind 127.0.0.1", "-L", `${port}:127.0.0.1:8080`);
      every(
        1000,
        () =>
          void fetch(`http://127.0.0.1:${port}/`)
            .then((one) => one.text())
            .catch(() => {}),
      );
    },
    verdict: "awake: session",
  },
  "forward-forgotten": {
    begin: (name) => open(name, "", "-N", "-L", "28081:127.0.0.1:8080"),
    verdict: "asleep: idle",
  },
  keepalives: {
    begin: (name) => open(name, "", "-N", "-L", "28082:127.0.0.1:8080", "-o", "ServerAliveInterval=5"),
    verdict: "asleep: idle",
  },
  "shared-forgotten": {
    begin: (name) => open(name, "", "-N", "-M", "-S", `${idle.laptop.folder}/%C`),
    verdict: "asleep: idle",
  },
  "sftp-forgotten": { begin: (name) => open(name, "sftp", "-s"), verdict: "asleep: idle" },
  held: { begin: inside("/etc/drawbridge/sshd/idle hold 8h"), verdict: "awake: hold" },
  "held-over": { begin: inside("/etc/drawbridge/sshd/idle hold 5s"), verdict: "asleep: idle" },
  released: {
    begin: inside("/etc/drawbridge/sshd/idle hold 8h && /etc/drawbridge/sshd/idle release"),
    verdict: "asleep: idle",
  },
  command: { begin: behind("/etc/drawbridge/sshd/idle hold -- sleep 1000"), verdict: "awake: command" },
  "command-over": { begin: behind("/etc/drawbridge/sshd/idle hold -- sleep 5"), verdict: "asleep: idle" },
  asked: {
    args: { idle: byHand },
    begin: inside("/etc/drawbridge/sshd/idle sleep"),
    verdict: "asleep: asked",
  },
  scheduled: { args: { idle: { ...times, keepAwake: schedule(today) } }, verdict: "awake: schedule" },
  "scheduled-later": {
    args: { idle: { ...times, keepAwake: schedule(inThreeDays) } },
    verdict: "asleep: idle",
  },
  silenced: { begin: inside("pkill -f '[d]rawbridge-sshd'"), verdict: "awake: missing" },
  "dry-run": { args: { idle: { ...times, dryRun: true } }, verdict: "would sleep: idle" },
};

/** The culler's word on each, and what it has done. */
async function verdicts(names: readonly string[]): Promise<Record<string, string>> {
  type Said = { metadata: { name: string }; reason: string; message: string };
  type Sets = { metadata: { name: string }; spec: { replicas: number } };
  const of = <T>(kind: string) => getObject<{ items: T[] }>(["-n", idle.team, kind]);
  const [events, sets] = [await of<Said>("events"), await of<Sets>("statefulsets")];
  return Object.fromEntries(
    names.map((name) => {
      const said = events.items.find(({ metadata }) => metadata.name === `${name}.drawbridge-culler`);
      const isAsleep = sets.items.find(({ metadata }) => metadata.name === name)?.spec.replicas === 0;
      const state = isAsleep ? "asleep" : said?.reason === "WouldSleep" ? "would sleep" : "awake";
      return [name, `${state}: ${said?.message.split(":")[0]}`];
    }),
  );
}

it(`the corpus of ${Object.keys(corpus).length} rows`, async () => {
  const names = Object.keys(corpus);
  await idle.up(
    Object.fromEntries(names.map((name) => [name, { idle: times, ...quickStop, ...corpus[name]?.args }])),
  );
  await Promise.all(
    names.map(async (name) => {
      const { begin } = corpus[name] ?? {};
      if (begin === undefined) return;
      await idle.login(name, 180);
      await begin(name);
    }),
  );
  await idle.kill("culler");
  const culler = `${idle.gatewayName}-culler`;
  await kubectl(["-n", idle.gatewayName, "scale", "deployment", culler, "--replicas=2"]);

  const expected = Object.fromEntries(names.map((name) => [name, corpus[name]?.verdict]));
  let found: Record<string, string> = {};
  const settled = (isOf: (name: string) => boolean) => async () => {
    found = await verdicts(names);
    // A look is two more programs on a node that has enough to do.
    await sleep(5000);
    return names.every((name) => !isOf(name) || found[name] === expected[name]);
  };
  const mustSleep = (name: string) => !expected[name]?.startsWith("awake");
  await eventually("every sleep", settled(mustSleep), 600).catch(() => undefined);
  // Longer than a container takes to fall asleep that has no reason to be awake. Nobody wakes what slept, so a look more hides nothing: on
  // a busy node an agent may be late, and the word is "missing" until it has spoken.
  await sleep(120_000);
  await eventually(
    "every verdict",
    settled(() => true),
    60,
  ).catch(() => undefined);
  expect(found).toEqual(expected);
  const asleep = names.filter((name) => expected[name]?.startsWith("asleep")).length;
  console.log(`${names.length} rows, ${asleep} asleep, no verdict differs`);
});

it("people in a terminal are told before, and a key says no", async () => {
  await idle.up({ asked: { idle: times, ...quickStop } });
  await idle.login("asked");
  const child = spawn("ssh", ["-F", idle.laptop.configFile, "-tt", "asked", "cat"], {
    env: { ...process.env, ...idle.laptop.env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  running.push(child);
  let seen = "";
  child.stdout.on("data", (bytes: Buffer) => {
    seen += bytes.toString();
  });
  const warned = () => seen.split("goes to sleep in 4 s").length - 1;
  await eventually("the warning", async () => warned() === 1, 150);
  child.stdin.write("no\n");
  await sleep(15_000);
  expect([await idle.replicas("asked"), child.exitCode]).toEqual([1, null]);
  await eventually("the second warning", async () => warned() === 2, 150);
  await eventually("its sleep", async () => (await idle.replicas("asked")) === 0, 60);
});

it("whoever wakes it and does not log in keeps it awake for ten minutes, not for stopAfterSeconds", async () => {
  // The stack's change keeps it awake for as long, so the wake comes later; then ten minutes end when that does.
  const stopAfterSeconds = 900;
  await idle.up({ knocked: { idle: { ...byHand, stopAfterSeconds }, ...quickStop } });
  await idle.login("knocked");
  await idle.putToSleep("knocked");
  await sleep((stopAfterSeconds - 600) * 1000);
  const knock = ["-o", "PubkeyAuthentication=no", "knocked", "true"];
  const { code, stderr } = await idle.laptop.ssh(knock, { timeoutSeconds: 120 });
  expect([code, stderr]).toEqual([255, expect.stringContaining("Permission denied (publickey)")]);
  const isAsleep = async () => {
    if ((await idle.replicas("knocked")) === 0) return true;
    throw new Error((await idle.said("knocked")).message);
  };
  await eventually("its sleep", isAsleep, 720);
  const slept = (await idle.log("culler")).find(({ container }) => container === `${idle.team}/knocked`);
  expect(slept).toMatchObject({
    reasons: ["idle"],
    text: expect.stringMatching(/up for 6\d\d s$/),
    outcome: "sleep",
  });
});
