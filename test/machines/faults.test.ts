/**
 * Faults that need a kernel, a clock, a disk and power of their own. Whatever happens to the machine: sessions elsewhere
 * lose nothing, what was synced is there, and the container is back by itself, with its host key, its home and its isolation.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startNode, stopNode } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apply, eventually, getObject, kubectl } from "../../scripts/lib/lab/lab.ts";
import { holdScript } from "../drill/invariants/held.ts";
import { goOnWriting } from "../drill/invariants/homes.ts";
import { isRunning, lab, type PodObject, readinessOf, taintsOf } from "../support/lab/nodes.ts";
import { busyboxPod, knock, startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { ContainerStack } from "../support/stacks/containers.ts";
import {
  keepOthersOff,
  leftOnMachine,
  letOthersOn,
  machine,
  onMachine,
  pinImages,
  startHands,
  startSeconds,
  stopHands,
  there,
} from "./machine.fixture.ts";

const team = "team-faults";
const outside = "probe-faults";
/** Where pods are that take all disk or memory. */
const hogs = "hogs";
let stack: ContainerStack;

beforeAll(async () => {
  await keepOthersOff();
  await startHands();
  await pinImages();
  stack = await ContainerStack.create(team, "gw-faults");
  await stack.up({
    dev: {
      scheduling: there,
      pod: { stopWarningSeconds: 0 },
      resources: { requests: { cpu: "20m" }, memory: "128Mi", ephemeralStorage: "512Mi" },
    },
    beside: {},
  });
  await cameBack();
  await startProbe(outside);
  await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: hogs } });
});

afterAll(async () => {
  await kubectl(["delete", "namespace", hogs, "--ignore-not-found", "--wait=false"]);
  await stopProbe(outside);
  await stack?.close();
  await stopHands();
  await letOthersOn();
});

const inDev = (command: string) => stack.laptop.ssh(["dev", command], { timeoutSeconds: 120 });
const cameBack = () =>
  eventually("a login to dev", async () => (await inDev("true")).code === 0, startSeconds);

/** Which start of which pod it is. */
async function startOf(): Promise<string> {
  const { metadata, status } = await stack.pod<PodObject>("dev");
  return `${metadata.uid} ${status.containerStatuses?.[0]?.restartCount}`;
}

/** After a boot the machine's kubelet, which is told of containers by events alone, may start one a second time. */
const settled = () =>
  eventually(
    "one and the same start",
    async () => {
      const before = await startOf();
      await sleep(90_000);
      return (await inDev("true")).code === 0 && (await startOf()) === before;
    },
    startSeconds,
  );

const claimOf = async () =>
  (await getObject<Pick<PodObject, "metadata">>(["-n", team, "pvc", stack.outputs.dev?.homeClaimName ?? ""]))
    .metadata.uid;

/** Looks before, in the middle and afterwards. @param fault ends when what it did is undone */
async function outlives(fault: () => Promise<void>, { mayRestart = false } = {}): Promise<void> {
  const [start, claim] = await Promise.all([startOf(), claimOf()]);
  const sessions = { dev: stack.laptop.openCounter("dev", 1000), beside: stack.laptop.openCounter("beside") };
  const writer = holdScript(stack.laptop, "dev", goOnWriting);
  const synced: string[] = [];
  const written = () => {
    synced.push(...writer.take().filter((line) => line.includes("  drill-")));
    return synced.length;
  };
  try {
    await Promise.all(Object.values(sessions).map((session) => session.reached(3, 120)));
    await eventually("files", async () => written() >= 2, 120);

    await fault();
    await eventually("the machine", async () => (await readinessOf(machine)) === "True", 600);
    await cameBack();
    if (mayRestart) await settled();

    const { dev, beside } = sessions;
    expect({ alive: beside.alive, unbroken: beside.unbroken }).toEqual({ alive: true, unbroken: true });
    await beside.reached(beside.lines.length + 10);
    expect(dev.unbroken).toBe(true);
    if (!mayRestart) {
      expect(await startOf()).toBe(start);
      await dev.reached(dev.lines.length + 3, 120);
      expect({ alive: dev.alive, unbroken: dev.unbroken }).toEqual({ alive: true, unbroken: true });
    }
    const before = synced.length;
    await eventually("new files", async () => written() > before, 300);
    const sums = `sha256sum ${synced.map((line) => line.split("  ")[1]).join(" ")}`;
    const { stdout } = await stack.laptop.login("dev", sums, startSeconds);
    expect(stdout.trim().split("\n")).toEqual(synced);
    expect(await claimOf()).toBe(claim);
    const { podIP = "" } = (await stack.pod<PodObject>("dev")).status;
    expect(podIP).not.toBe("");
    expect(await knock(outside, podIP, 2222)).toBe("nothing");
  } finally {
    await writer.end();
    await Promise.all(Object.values(sessions).map((session) => session.close()));
    await inDev("rm -f drill-*");
  }
}

/** Seconds for which a fault lasts that ends by itself: nobody has to reach the machine to heal it. */
const lasts = 30;

type Fault = [title: string, fault: () => Promise<void>, afterwards?: { mayRestart: boolean }];
const mayRestart = { mayRestart: true };

/** Each takes one to five minutes: the last of a kind, or with `FAULTS=all` every one. */
function faults(kind: string, all: readonly Fault[]): void {
  const some = process.env.FAULTS === "all" ? all : all.slice(-1);
  describe(kind, () => {
    it.each(some)("%s", (_, fault, afterwards) => outlives(fault, afterwards));
  });
}

const times = (title: string, fault: () => Promise<void>): Fault[] =>
  [1, 2, 3].map((time) => [`${title}, time ${time}`, fault, mayRestart]);

const disturbed = (how: string): Fault => [
  `with ${how}`,
  async () => {
    const netem = `tc qdisc add dev to-node root netem ${how}
sleep ${lasts}
tc -s qdisc show dev to-node >/run/netem
tc qdisc delete dev to-node root`;
    const isThere = async () => (await onMachine("tc qdisc show dev to-node")).includes("netem");
    await leftOnMachine(netem);
    await eventually("netem", isThere);
    expect(await inDev("echo in the middle")).toMatchObject({ code: 0, stdout: "in the middle\n" });
    await sleep(lasts * 1000);
    await eventually("its end", async () => !(await isThere()), 120);
    const [, packets, dropped] = /Sent \d+ bytes (\d+) pkt \(dropped (\d+)/.exec(
      await onMachine("cat /run/netem"),
    ) ?? ["", "0", "0"];
    expect(Number(packets)).toBeGreaterThan(20);
    expect(Number(dropped) > 0).toBe(how.includes("loss"));
  },
];

faults("the network", [
  disturbed("delay 300ms 50ms"),
  disturbed("loss 10%"),
  disturbed("delay 100ms loss 5% duplicate 5% reorder 10%"),
]);

const day = 86_400;
const jumped = (title: string, seconds: number): Fault => [
  title,
  async () => {
    const jump = `read -r up rest </proc/uptime
before=$(date +%s)
date -s @$((before + ${seconds}))
sleep ${lasts}
read -r now rest </proc/uptime
date -s @$((before + \${now%%.*} - \${up%%.*}))`;
    const apart = async () => Number((await inDev("date +%s")).stdout) - Date.now() / 1000;
    await leftOnMachine(jump);
    await eventually("the jump", async () => Math.abs((await apart()) - seconds) < 600);
    await sleep(lasts * 1000);
    await eventually("the right time", async () => Math.abs(await apart()) < 600, 120);
  },
];

faults("a clock that jumps", [
  jumped("a day ahead", day),
  jumped("a day back, before certificates are valid", -day),
  jumped("400 days ahead, when no certificate is valid any more", 400 * day),
]);

faults(
  "power",
  times("that is lost in the middle of writes", async () => {
    await stopNode(lab, machine);
    await startNode(lab, machine);
  }),
);

faults(
  "a reboot",
  times("as an init does it: programs are told, then files are written down", async () => {
    await leftOnMachine(`for process in /proc/[0-9]*; do
  if grep -qs kubepods $process/cgroup; then kill -TERM \${process#/proc/} || true; fi
done
sleep 5
for key in s u b; do echo $key >/proc/sysrq-trigger; sleep 2; done`);
    await eventually("the machine's end", async () => !(await isRunning(machine)), 120);
    await startNode(lab, machine);
  }),
);

const isShortOf = async (what: "disk" | "memory") =>
  (await taintsOf(machine)).includes(`node.kubernetes.io/${what}-pressure`);
/** Once the machine is out of it, pods may start there again. */
const noPressure = () => eventually("the end of it", async () => (await taintsOf(machine)).length === 1, 600);

/** A pod on the machine takes what it can get, and is ended. @param volume the one at `/fill` */
async function endsWhoTakes(name: string, script: string, volume = {}, words = ["Evicted"]): Promise<void> {
  const container = {
    command: ["sh", "-c", `${script}; sleep infinity`],
    volumeMounts: [{ name: "fill", mountPath: "/fill" }],
  };
  const spec = { ...there, restartPolicy: "Never", volumes: [{ name: "fill", emptyDir: volume }] };
  await apply(busyboxPod(hogs, name, container, spec));
  const end = async () => {
    const { status } = await getObject<PodObject>(["-n", hogs, "pod", name]);
    return status.reason ?? status.containerStatuses?.[0]?.state.terminated?.reason;
  };
  await eventually("its end", async () => words.includes((await end()) ?? ""), 600);
  await kubectl(["-n", hogs, "delete", "pod", name, "--wait=true"]);
  await noPressure();
}

/** What is no pod's takes it for a while. */
async function shortOf(what: "disk" | "memory", script: string): Promise<void> {
  await leftOnMachine(script);
  await eventually("pressure", () => isShortOf(what), 300);
  await noPressure();
}

const everything = "dd if=/dev/zero of=/dev/null bs=1500M count=1";
const everMore = "i=0; while i=$((i + 1)); do fallocate -l 64M /fill/$i; sleep 1; done";
const inMemory = { medium: "Memory" };

faults("a machine that is short of memory", [
  [
    "ends another's pod that takes all of it at once",
    // Which of them is faster: the kernel or the kubelet.
    () => endsWhoTakes("greedy", everything, {}, ["OOMKilled", "Evicted"]),
  ],
  ["evicts another's pod that takes ever more", () => endsWhoTakes("growing", everMore, inMemory)],
  [
    "by programs that are no pod's: the container may have to go, and is back",
    () =>
      shortOf(
        "memory",
        `mkdir -p /run/fill
mount -t tmpfs -o size=100% none /run/fill
i=0
while [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 163840 ]; do
  i=$((i + 1))
  fallocate -l 16M /run/fill/$i
done
sleep 60
umount /run/fill`,
      ),
    mayRestart,
  ],
]);

faults("a machine whose disk is full", [
  ["evicts another's pod that fills its volume", () => endsWhoTakes("hoarder", "fallocate -l 12G /fill/all")],
  [
    "evicts another's pod that fills its own file system",
    () => endsWhoTakes("litterer", "fallocate -l 12G /all"),
  ],
  [
    "by files that are no pod's: the container is evicted, and is back",
    () => shortOf("disk", "fallocate -l 12G /disk/fill\nsleep 90\nrm /disk/fill"),
    mayRestart,
  ],
]);
