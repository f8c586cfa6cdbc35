/** What a container promises on a node with a kernel of its own: cgroup v2, AppArmor, a disk and power. No time is asserted. */
import { startNode, stopNode } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apply, eventually, getObject, kubectl, run } from "../support/lab/lab.ts";
import { namespace, pod } from "../support/lab/lab-objects.ts";
import { lab, on, readyAgain } from "../support/lab/nodes.ts";
import { knock, startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { byHand, IdleStack } from "../support/stacks/idle-stack.ts";

const machine = "lab-node-2";
const team = "team-machine";
const outside = "probe-machine";
/** Only what is about the machine goes there: everything takes twenty times as long. */
const taint = "test.drawbridge.dev/slow";
const there = { ...on(machine), tolerations: [{ key: taint }] };

let stack: IdleStack;

beforeAll(async () => {
  await kubectl(["taint", "node", machine, `${taint}=:NoSchedule`]);
  stack = await IdleStack.create(team);
  await stack.up({ dev: { idle: byHand, scheduling: there, resources: { memory: "128Mi" } } });
  await stack.login("dev", 900);
  await startProbe(outside);
});

afterAll(async () => {
  await stopProbe(outside);
  await stack?.close();
  await kubectl(["taint", "node", machine, `${taint}-`]);
});

/** What a command says in the container, by ssh. */
async function said(command: string): Promise<string> {
  const { code, stdout, stderr } = await stack.laptop.ssh(["dev", command], { timeoutSeconds: 300 });
  return code === 0 ? stdout : `code ${code}: ${stdout}${stderr}`;
}

interface PodStatus {
  status: { podIP: string; containerStatuses: { restartCount: number }[] };
}
const podOf = (name: string, where = team) => getObject<PodStatus>(["-n", where, "pod", name]);

describe("a container without root", () => {
  it("runs on the machine's own kernel, in cgroups of version 2", async () => {
    const kernels = ["lab-node", machine].map((node) =>
      kubectl(["get", "node", node, "-o", "jsonpath={.status.nodeInfo.kernelVersion}"]),
    );
    const [first, second] = await Promise.all(kernels);
    expect(second).toMatch(/-cloud-amd64$/);
    expect(second).not.toBe(first);
    expect(await said("uname -r; stat -f -c %T /sys/fs/cgroup")).toBe(`${second}\ncgroup2fs\n`);
  });

  it("is held by AppArmor's default profile and by seccomp, and gains no privileges", async () => {
    expect(
      await said("cat /proc/self/attr/current; grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status"),
    ).toBe("cri-containerd.apparmor.d (enforce)\nNoNewPrivs:\t1\nSeccomp:\t2\n");
  });

  it("sees its limits, and cannot change them", async () => {
    expect(await said("cat /sys/fs/cgroup/memory.max")).toBe("134217728\n");
    expect(await said("mkdir /sys/fs/cgroup/own 2>&1 || true")).toContain("Read-only file system");
  });

  it("tells by cpu.stat how busy it is", async () => {
    const burn = stack.laptop.ssh(["dev", "timeout 90 sh -c 'while :; do :; done'"], { timeoutSeconds: 300 });
    await eventually(
      "a line of a busy container",
      async () => {
        const log = await kubectl(["-n", team, "logs", "dev-0", "--tail=20"]);
        return [...log.matchAll(/ millicores=(\d+) /g)].some(([, used]) => Number(used) > 100);
      },
      180,
    );
    await burn;
  });

  it("is reached by the gateway alone, though the node would let others through", async () => {
    await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await apply(pod("open", {}, "exec httpd -f -p 8080 -h /", undefined, there));
    try {
      await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/open", "--timeout=600s"]);
      const [open, dev] = await Promise.all([podOf("open", namespace), podOf("dev-0")]);
      expect(await knock(outside, open.status.podIP, 8080)).toBe("HTTP/1.");
      expect(await knock(outside, dev.status.podIP, 2222)).toBe("nothing");
      const probe = await podOf("probe", outside);
      const reach = (address: string) =>
        said(`curl -sS -m 20 -o /dev/null http://${address}:8080/ 2>&1; echo $?`);
      expect(await reach(probe.status.podIP)).toMatch(/^curl: \(28\) /);
    } finally {
      await kubectl(["delete", "namespace", namespace, "--wait=false"]);
    }
  });

  it("has its memory limit enforced", async () => {
    const before = (await podOf("dev-0")).status.containerStatuses[0]?.restartCount;
    console.log(before, await said("head -c 300M /dev/zero | tail | wc -c"));
    await stack.login("dev", 600);
    console.log(
      (await podOf("dev-0")).status.containerStatuses[0],
      await said("cat /sys/fs/cgroup/memory.events; cat /sys/fs/cgroup/memory.oom.group"),
    );
  });
});

describe("a slow and lossy network", () => {
  it("loses no line of an open session", async () => {
    const session = stack.laptop.openCounter("dev", 500);
    await session.reached(3, 120);
    const netem = ["dev", "to-node-2", "root", "netem", "delay", "300ms", "loss", "10%"];
    expect(await run("tc", ["qdisc", "add", ...netem])).toMatchObject({ code: 0 });
    try {
      await session.reached(session.lines.length + 40, 300);
      expect(await said("echo through")).toBe("through\n");
    } finally {
      await run("tc", ["qdisc", "del", "dev", "to-node-2", "root"]);
    }
    expect([session.alive, session.unbroken]).toEqual([true, true]);
    await session.close();
  });
});

describe("a loss of power", () => {
  it("keeps what was synced, and the container comes back by itself", async () => {
    const before = (await podOf("dev-0")).status.containerStatuses[0]?.restartCount ?? 0;
    expect(
      await said("echo kept > ~/synced && sync ~/synced && echo lost > ~/unsynced && cat ~/synced"),
    ).toBe("kept\n");
    await stopNode(lab, machine);
    expect((await stack.laptop.ssh(["dev", "true"], { timeoutSeconds: 60 })).code).not.toBe(0);
    await startNode(lab, machine);
    await readyAgain(machine);
    await stack.login("dev", 900);
    expect(await said("cat ~/synced")).toBe("kept\n");
    expect((await podOf("dev-0")).status.containerStatuses[0]?.restartCount).toBe(before + 1);
  });
});
