/**
 * Faults that need a kernel, a clock, a disk and power of their own. Whatever happens to the machine: sessions elsewhere
 * lose nothing, what was synced is there, and the container is back by itself, with its host key, its home and its isolation.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startNode, stopNode } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdScript } from "../drill/invariants/held.ts";
import { goOnWriting } from "../drill/invariants/homes.ts";
import { apply, eventually, getObject, kubectl } from "../support/lab/lab.ts";
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
/** Where pods are that fill the disk. */
const hogs = "hogs";
let stack: ContainerStack;

beforeAll(async () => {
  await keepOthersOff();
  await startHands();
  await pinImages();
  stack = await ContainerStack.create(team, "gw-faults");
  await stack.up({
    dev: { scheduling: there, stopWarningSeconds: 0, ephemeralStorage: "512Mi" },
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
  (await getObject<Pick<PodObject, "metadata">>(["-n", team, "pvc", stack.outputs.dev?.homeClaim ?? ""]))
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

describe("the network", () => {
  it.each(["delay 300ms 50ms", "loss 10%", "delay 100ms loss 5% duplicate 5% reorder 10%"])(
    "with %s",
    async (how) => {
      await outlives(async () => {
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
      });
    },
  );
});

describe("a clock that jumps", () => {
  const day = 86_400;
  it.each([
    ["a day ahead", day],
    ["400 days ahead, when no certificate is valid any more", 400 * day],
    ["a day back, before certificates are valid", -day],
  ])("%s", async (_, seconds) => {
    await outlives(async () => {
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
    });
  });
});

/** Each boot takes four minutes: `TIMES=3` for more of them. */
const boots = Array.from({ length: Number(process.env.TIMES ?? 1) }, (_, index) => index + 1);

describe("power", () => {
  it.each(boots)("that is lost in the middle of writes, time %d", async () => {
    await outlives(
      async () => {
        await stopNode(lab, machine);
        await startNode(lab, machine);
      },
      { mayRestart: true },
    );
  });

  it.each(boots)("a reboot, time %d", async () => {
    await outlives(
      async () => {
        // As an init would: programs are told, then files are written down.
        await leftOnMachine(`for process in /proc/[0-9]*; do
  if grep -qs kubepods $process/cgroup; then kill -TERM \${process#/proc/} || true; fi
done
sleep 5
for key in s u b; do echo $key >/proc/sysrq-trigger; sleep 2; done`);
        await eventually("the machine's end", async () => !(await isRunning(machine)), 120);
        await startNode(lab, machine);
      },
      { mayRestart: true },
    );
  });
});

const isShortOf = async (what: "disk" | "memory") =>
  (await taintsOf(machine)).includes(`node.kubernetes.io/${what}-pressure`);
/** Once the machine is out of it, pods may start there again. */
const noPressure = () => eventually("the end of it", async () => (await taintsOf(machine)).length === 1, 600);

/** A pod on the machine takes what it can get. @param volume the one at `/fill` */
async function endsWhoTakes(name: string, script: string, volume: object, word = "Evicted"): Promise<void> {
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
  await eventually("its end", async () => (await end()) === word, 600);
  await kubectl(["-n", hogs, "delete", "pod", name, "--wait=true"]);
  await noPressure();
}

describe("a machine that is short of memory", () => {
  it("ends another's pod that takes all of it at once", async () => {
    const all = "dd if=/dev/zero of=/dev/null bs=1500M count=1";
    await outlives(() => endsWhoTakes("greedy", all, {}, "OOMKilled"));
  });

  it("evicts another's pod that takes ever more", async () => {
    const more = "i=0; while i=$((i + 1)); do fallocate -l 64M /fill/$i; sleep 1; done";
    await outlives(() => endsWhoTakes("growing", more, { medium: "Memory" }));
  });

  it("by programs that are no pod's: the container may have to go, and is back", async () => {
    await outlives(
      async () => {
        await leftOnMachine(`mkdir -p /run/fill
mount -t tmpfs -o size=100% none /run/fill
i=0
while [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 163840 ]; do
  i=$((i + 1))
  fallocate -l 16M /run/fill/$i
done
sleep 60
umount /run/fill`);
        await eventually("pressure", () => isShortOf("memory"), 300);
        await noPressure();
      },
      { mayRestart: true },
    );
  });
});

describe("a machine whose disk is full", () => {
  it.each([
    ["its volume", "hoarder", "/fill/all"],
    ["its own file system", "litterer", "/all"],
  ])("evicts another's pod that fills %s", async (_, name, path) => {
    await outlives(() => endsWhoTakes(name, `fallocate -l 12G ${path}`, {}));
  });

  it("by files that are no pod's: the container is evicted, and is back", async () => {
    await outlives(
      async () => {
        await leftOnMachine(`fallocate -l 12G /disk/fill
sleep 90
rm /disk/fill`);
        await eventually("pressure", () => isShortOf("disk"), 300);
        await noPressure();
      },
      { mayRestart: true },
    );
  });
});
