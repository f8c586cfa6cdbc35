/** What a container promises on a node with a kernel of its own: cgroup v2, AppArmor and a disk. No time is asserted. */
import { Team } from "@drawbridge-iac/drawbridge";
import { ensureImages, lineProgress } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { apiServerAddresses, apply, eventually, getObject, kubectl } from "../../scripts/lib/lab/lab.ts";
import { endStack, podNetwork, testGateway } from "../support/lab/cluster.ts";
import { namespace, pod } from "../support/lab/lab-objects.ts";
import { knock, startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { ContainerStack, type Containers } from "../support/stacks/containers.ts";
import { engineRows } from "../support/stacks/engine-rows.ts";
import { byHand } from "../support/stacks/idle-stack.ts";
import { keepOthersOff, letOthersOn, machine, startSeconds, there } from "./machine.fixture.ts";

const team = "team-machine";
const outside = "probe-machine";
const root = { root: true, team: { namespace: team, root: true } as const, scheduling: there };
const containers = {
  dev: { idle: byHand, scheduling: there, egress: { allow: [] } },
  root,
  engine: {
    ...root,
    containersInside: true,
    team: { ...root.team, containersInside: true } as const,
    image: imageRef("containers"),
    resources: { requests: { cpu: "20m" }, memory: "512Mi" },
    persist: { size: "2Gi" },
  },
} satisfies Containers;

let platform: Awaited<ReturnType<typeof testStack>>;
let stack: ContainerStack;

beforeAll(async () => {
  await keepOthersOff();
  const args = { root: { containersInside: true }, allowedPrivateNetworks: [podNetwork] };
  platform = await testStack(async () => ({ ref: new Team(team, args).ref }));
  await platform.stack.up();
  const gatewayArgs = {
    egress: { apiServer: await apiServerAddresses() },
    idle: { image: imageRef("programs") },
  };
  const gateway = (name: string) => testGateway(name, gatewayArgs);
  stack = await ContainerStack.create(team, "gw-machine", { namespaceExists: true, gateway });
  await stack.up(containers);
  for (const name of Object.keys(containers)) await cameBack(name);
  await startProbe(outside);
});

afterAll(async () => {
  await stopProbe(outside);
  await stack?.close();
  await endStack(platform, [team]);
  await letOthersOn();
});

const cameBack = (name: string) =>
  eventually(
    `a login to ${name}`,
    async () => (await stack.laptop.ssh([name, "true"], { timeoutSeconds: 120 })).code === 0,
    startSeconds,
  );

/** All that a command says in a container, by ssh. */
async function said(command: string, name: keyof typeof containers = "dev"): Promise<string> {
  return (await stack.laptop.ssh([name, `{ ${command}\n} 2>&1`], { timeoutSeconds: 600 })).stdout;
}

interface PodStatus {
  status: {
    podIP: string;
    containerStatuses?: {
      ready: boolean;
      restartCount: number;
      lastState: { terminated?: { reason: string } };
    }[];
  };
}
const podOf = (name: string, where = team) => getObject<PodStatus>(["-n", where, "pod", name]);
const container = async () => {
  const [{ restartCount = 0, lastState = {} } = {}] = (await podOf("dev-0")).status.containerStatuses ?? [];
  return { restartCount, reason: lastState.terminated?.reason };
};

const held = "cat /proc/self/attr/current; grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status";

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
    expect(await said(held)).toBe("cri-containerd.apparmor.d (enforce)\nNoNewPrivs:\t1\nSeccomp:\t2\n");
  });

  it("sees its limits, and cannot change them", async () => {
    expect(await said("cat /sys/fs/cgroup/memory.max")).toBe("134217728\n");
    expect(await said("mkdir /sys/fs/cgroup/own")).toContain("Read-only file system");
  });

  it("tells by cpu.stat how busy it is", async () => {
    const burn = said("timeout 90 sh -c 'while :; do :; done'");
    await eventually(
      "a line of a busy container",
      async () => {
        const log = await kubectl(["-n", team, "logs", "dev-0", "--tail=20"]);
        return [...log.matchAll(/ millicores=(\d+) /g)].some(([, used]) => Number(used) > 100);
      },
      300,
    );
    await burn;
  });

  it("is reached by the gateway alone, though the node would let others through", async () => {
    await apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await apply(pod("open", {}, "exec httpd -f -p 8080 -h /", undefined, there));
    try {
      const isReady = async () => (await podOf("open", namespace)).status.containerStatuses?.[0]?.ready;
      await eventually("the pod that is open", isReady, 900);
      const [open, dev] = await Promise.all([podOf("open", namespace), podOf("dev-0")]);
      expect(await knock(outside, open.status.podIP, 8080)).toBe("HTTP/1.");
      expect(await knock(outside, dev.status.podIP, 2222)).toBe("nothing");
      const probe = await podOf("probe", outside);
      expect(await said(`curl -sS -m 20 http://${probe.status.podIP}:8080/`)).toMatch(/^curl: \(28\) /);
    } finally {
      await kubectl(["delete", "namespace", namespace, "--wait=false"]);
    }
  });

  it("is ended whole if it takes more memory than it may, and starts again with its home", async () => {
    const before = (await container()).restartCount;
    expect(await said("cat /sys/fs/cgroup/memory.oom.group; echo kept > ~/mine")).toBe("1\n");
    await said("head -c 300M /dev/zero | tail | wc -c");
    await eventually("its restart", async () => (await container()).restartCount > before, 300);
    await cameBack("dev");
    expect(await container()).toEqual({ restartCount: before + 1, reason: "OOMKilled" });
    expect(await said("cat ~/mine")).toBe("kept\n");
  });
});

describe("root", () => {
  it("is nobody on the node, under AppArmor's default profile and seccomp", async () => {
    expect(await said(`sudo sh -c "id -u; ${held}"`, "root")).toBe(
      "0\ncri-containerd.apparmor.d (enforce)\nNoNewPrivs:\t0\nSeccomp:\t2\n",
    );
    const [inside, node] = (await said("cat /proc/self/uid_map", "root")).trim().split(/\s+/).map(Number);
    expect(inside).toBe(0);
    expect(node).toBeGreaterThanOrEqual(65_536);
  });

  it("gives files away, and mounts nothing", async () => {
    expect(
      await said("touch ~/file; sudo chown daemon ~/file; stat -c %U ~/file; sudo rm ~/file", "root"),
    ).toBe("daemon\n");
    expect(await said("sudo mount -t tmpfs none /mnt", "root")).toMatch(/permission denied/);
  });
});

describe("containers inside", () => {
  it("run, and what is refused or has no effect is what the page has", async () => {
    const { busybox } = await ensureImages(["busybox"], lineProgress());
    expect(await stack.laptop.scp(["-q", busybox.tar, "engine:base.tar"], 600)).toMatchObject({ code: 0 });
    await said(`podman load -qi base.tar && podman tag ${imageRef("busybox")} localhost/base`, "engine");
    const rows = engineRows.filter(({ name }) =>
      ["a command's output", "a limit of memory has no effect", "refused: a pause"].includes(name),
    );
    expect(rows.length).toBe(3);
    for (const { script, says } of rows) {
      const output = await said(`E=podman\n${script}`, "engine");
      if (typeof says === "string") expect(output).toBe(says);
      else expect(output).toMatch(says);
    }
  });

  it("have no cgroups of their own, since the pod's are read-only", async () => {
    expect(await said("sudo mkdir /sys/fs/cgroup/own", "engine")).toContain("Read-only file system");
  });
});
