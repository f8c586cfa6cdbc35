/**
 * The stacks that ship, from their YAML alone: platform, then team-a with all three ways in; then changes of YAML only;
 * then team-gpu, which takes the platform from its stack.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultQuota } from "../../packages/drawbridge/src/istio/team-limits.ts";
import {
  apply,
  eventually,
  getObject,
  kubectl,
  Laptop,
  type Outcome,
  run,
} from "../../scripts/lib/lab/lab.ts";
import {
  labGpuTeam,
  labPlatform,
  labTeam,
  openStorage,
  ProjectCopy,
  type ProjectNamespaces,
  plainOutputs,
  setPaths,
  stackSecrets,
} from "../../scripts/lib/stacks/stacks.ts";
import { guard, previewJson } from "../support/engine/guard.ts";
import { changes, everyKind, objects } from "../support/engine/settled.ts";
import { type OfferedGpus, offerGpus, withdrawGpus } from "./offered-gpus.fixture.ts";

interface ContainerOutputs {
  readonly hostName: string;
  readonly sshCommand: string;
  readonly frpCommand: string;
  readonly knownHosts: string;
}

let project: ProjectCopy;
let namespaces: ProjectNamespaces;
let laptop: Laptop;
let platform: Stack;
let team: Stack;
let dev2HostKey: string;

beforeAll(async () => {
  project = await ProjectCopy.create({ cluster: true });
  namespaces = await project.rename("stk");
  laptop = await Laptop.create("stacks");
  platform = await project.open("platform");
  team = await project.open("team-a");
  await project.setSecrets(platform);
  await project.setSecrets(team);
  await setPaths(platform, { ...labPlatform, "platform.gateway.drainSeconds": "5" });
  await setPaths(team, { ...labTeam, "team.containers.dev1.authorizedKeys[0]": laptop.publicKey });
  await openStorage(team);
  await platform.up();
  await setPaths(team, await plainOutputs(platform));
});

afterAll(async () => {
  await team.destroy();
  await platform.destroy();
  for (const namespace of Object.values(namespaces)) {
    await kubectl(["delete", "namespace", namespace, "--ignore-not-found", "--wait=false"]);
  }
  await project.remove();
  await laptop.remove();
});

/** Brings the team up and tells the laptop; what changed, as counts by operation. */
async function up(): Promise<Record<string, number>> {
  const result = await team.up();
  await laptop.configure(String(result.outputs.sshConfig?.value), String(result.outputs.knownHosts?.value));
  return { ...result.summary.resourceChanges };
}

async function outputsOf(container: string): Promise<ContainerOutputs> {
  const containers = (await team.outputs()).containers?.value as Record<string, ContainerOutputs>;
  const found = containers[container];
  if (found === undefined) throw new Error(`the stack has no container ${container}`);
  return found;
}

/** Runs a login until the way is open; sshd's own refusals come at once. */
async function login(what: string, attempt: () => Promise<Outcome>): Promise<string> {
  return eventually(
    what,
    async () => {
      const { code, stdout, stderr } = await attempt();
      if (code !== 0) throw new Error(stderr.trim());
      return stdout.trim();
    },
    90,
  );
}

/** A published command, with this laptop's identity and strict host checking. */
function published(command: string, remote: string): Promise<Outcome> {
  const options = `-F ${laptop.plainConfigFile} -o StrictHostKeyChecking=yes`;
  return run("sh", ["-c", `${command} ${options} ${remote}`], { env: laptop.env });
}

/** The way over the Kubernetes API, which needs nothing but a kubeconfig, to the same sshd. */
async function overTheApi(pod: string, host: string, remote: string): Promise<Outcome> {
  const main = join(process.cwd(), "packages/cli/src/main.ts");
  const via = `pod--${pod}.namespace--${namespaces.team}.sshpod`;
  const command = `${process.execPath} ${main} proxy --via ${via} --own-sshd --host %h --port %p`;
  const options = ["-o", `ProxyCommand=${command}`, "-o", "StrictHostKeyChecking=yes"];
  const env = { DRAWBRIDGE_HOME: join(laptop.folder, "cli") };
  return run("ssh", ["-F", laptop.plainConfigFile, ...options, `jovyan@${host}`, remote], { env });
}

describe("team-a from its YAML", () => {
  it("comes up, and another up changes nothing", async () => {
    expect(Object.keys(await up())).toEqual(["create"]);
    expect(Object.keys(await up())).toEqual(["same"]);
  });

  it("has settled, and the platform too: a refresh finds no change, nor does a preview after it", async () => {
    for (const stack of [platform, team]) {
      expect(await changes(stack, "refresh")).toEqual([]);
      expect(await changes(stack, "preview")).toEqual([]);
    }
  });

  it("is logged in to through the gateway, through frp and over the Kubernetes API, with one key and one host key", async () => {
    const { sshCommand, frpCommand, hostName } = await outputsOf("dev1");
    const through = {
      gateway: await login("the gateway", () => published(sshCommand, "hostname")),
      frp: await login("frp", () => published(frpCommand, "hostname")),
      api: await login("the API", () => overTheApi("dev1-0", hostName, "hostname")),
    };
    expect(through).toEqual({ gateway: "dev1-0", frp: "dev1-0", api: "dev1-0" });
  });

  it("has its storage in the container and behind the proxy", async () => {
    expect(await login("dev1", () => laptop.ssh(["dev1", "cat /models/model/README.txt"]))).toBe("seeded");
    const storages = (await team.outputs()).storages?.value as { models: { url: string } };
    const curl = (...args: string[]) => run("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", ...args]);
    const file = `${storages.models.url}model/README.txt`;
    expect((await curl(file)).stdout).toBe("401");
    expect((await curl("-u", `alice:${stackSecrets.password}`, file)).stdout).toBe("200");
  });

  it("keeps its secrets as ciphertext in the state", async () => {
    for (const { name } of [platform, team]) {
      const state = await readFile(
        join(project.backend, ".pulumi/stacks/drawbridge", `${name}.json`),
        "utf8",
      );
      expect(state).toContain('"ciphertext"');
      for (const secret of [...Object.values(stackSecrets), "PRIVATE KEY"])
        expect(state).not.toContain(secret);
    }
  });

  it("has its walls: quota, limits and rights", async () => {
    const quota = await getObject<{ spec: unknown }>(["-n", namespaces.team, "resourcequota", "team"]);
    expect(quota.spec).toEqual({
      hard: { ...defaultQuota, "requests.cpu": "16", "requests.memory": "64Gi", "requests.storage": "500Gi" },
    });
    const may = async (...args: string[]) =>
      (await run("kubectl", ["-n", namespaces.team, "auth", "can-i", "--as=eve", ...args])).stdout.trim();
    expect(await may("--as-group=team-a", "create", "pods", "--subresource=portforward")).toBe("yes");
    expect(await may("--as-group=team-a", "list", "pods")).toBe("yes");
    expect(await may("--as-group=team-a", "get", "secrets")).toBe("no");
    expect(await may("--as-group=team-b", "list", "pods")).toBe("no");
  });
});

describe("a change of YAML goes preview, guard, up", () => {
  it("adds a container", async () => {
    await setPaths(team, { "team.containers.dev2.authorizedKeys[0]": laptop.publicKey });
    const { code, report } = await guard(await previewJson(team));
    expect({ code, says: report.includes("\n- DevContainer dev2 is new\n") }).toEqual({
      code: 0,
      says: true,
    });
    await up();
    expect(await login("dev2", () => laptop.ssh(["dev2", "hostname; echo kept >file"]))).toBe("dev2-0");
    dev2HostKey = (await outputsOf("dev2")).knownHosts;
  });

  it("grows a volume and changes a key without a restart", async () => {
    const bob = await Laptop.create("bob");
    const pod = async () =>
      (await getObject<{ metadata: { uid: string } }>(["-n", namespaces.team, "pod", "dev1-0"])).metadata.uid;
    const before = await pod();
    await setPaths(team, {
      "team.storages.models.size": "128Mi",
      "team.containers.dev1.authorizedKeys[1]": bob.publicKey,
    });
    const { code, report } = await guard(await previewJson(team));
    expect(code).toBe(0);
    expect(report).toMatch(/^- the key SHA256:\S+ \("bob"\) gains access to dev1$/m);
    expect(report).not.toContain("restart");
    await up();
    expect(await pod()).toBe(before);
    await bob.remove();
  });

  it("removes a container and keeps its home", async () => {
    await team.removeConfig("drawbridge:team.containers.dev2", true);
    const { code, report } = await guard(await previewJson(team));
    expect({ code, says: report.includes("dev2 is removed; its volumes are kept") }).toEqual({
      code: 0,
      says: true,
    });
    await up();
    const claims = await kubectl(["-n", namespaces.team, "get", "pvc", "-o", "name"]);
    expect(claims.trim().split("\n").sort()).toEqual([
      "persistentvolumeclaim/dev1-home",
      "persistentvolumeclaim/dev2-home",
      "persistentvolumeclaim/models-storage",
    ]);
  });

  it("takes the container back, with its home and its host key", async () => {
    await setPaths(team, {
      "team.containers.dev2.authorizedKeys[0]": laptop.publicKey,
      "team.containers.dev2.home.claimName": "dev2-home",
    });
    await up();
    expect((await outputsOf("dev2")).knownHosts).toBe(dev2HostKey);
    expect(await login("dev2", () => laptop.ssh(["dev2", "cat file"]))).toBe("kept");
  });

  it("is refused before it loses a host key", async () => {
    await setPaths(team, { "team.containers.dev1.hostKey.generation": "2" });
    const { code, report } = await guard(await previewJson(team));
    await team.removeConfig("drawbridge:team.containers.dev1.hostKey", true);
    expect(code).toBe(1);
    expect(report).toMatch(
      /^- \[\*\*host-key-lost\*\*\]\(\S+\) Secret \S+: the host key of dev1 would change$/m,
    );
    expect(report).not.toContain(stackSecrets.hostKeySeed);
  });
});

describe("team-gpu from its YAML", () => {
  const gpus: OfferedGpus = {
    product: "NVIDIA-A100-SXM4-80GB",
    resources: { "nvidia.com/gpu": 4, "nvidia.com/mig-1g.10gb": 1 },
  };
  let gpuTeam: Stack;
  let gpuLaptop: Laptop;

  beforeAll(async () => {
    await offerGpus(gpus);
    // The class of the file is the cluster's to have: here the lab's own one under another name.
    const { provisioner } = await getObject<{ provisioner: string }>(["storageclass", "local-path"]);
    const shared = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", provisioner };
    const metadata = { name: namespaces.gpu };
    const object = { ...shared, metadata, volumeBindingMode: "WaitForFirstConsumer" };
    await apply(object);
    gpuLaptop = await Laptop.create("gpu");
    gpuTeam = await project.open("team-gpu");
    await project.setSecrets(gpuTeam);
    await setPaths(gpuTeam, {
      ...labGpuTeam,
      "team.containers.trainer.authorizedKeys[0]": gpuLaptop.publicKey,
      "team.containers.notebook.authorizedKeys[0]": gpuLaptop.publicKey,
    });
  });

  afterAll(async () => {
    await gpuTeam.destroy();
    await kubectl(["delete", "storageclass", namespaces.gpu]);
    await withdrawGpus(gpus);
    await gpuLaptop.remove();
  });

  async function gpuUp(): Promise<string[]> {
    const { outputs, summary } = await gpuTeam.up();
    await gpuLaptop.configure(String(outputs.sshConfig?.value), String(outputs.knownHosts?.value));
    return Object.keys(summary.resourceChanges ?? {});
  }

  const inside = (container: string, command: string) =>
    login(container, () => gpuLaptop.ssh([container, command]));

  /** What the pod holds, and what became of it. */
  async function pod(container: string) {
    return getObject<{
      spec: { containers: { resources: { limits: Record<string, string> } }[] };
      status: { phase: string; conditions: { type: string; message?: string }[] };
    }>(["-n", namespaces.gpu, "pod", `${container}-0`]);
  }

  it("comes up, and another up changes nothing", async () => {
    expect(await gpuUp()).toEqual(["create"]);
    expect(await gpuUp()).toEqual(["same"]);
  });

  it("hands out the GPUs, sizes /dev/shm and shares the storages", async () => {
    expect(
      await inside(
        "trainer",
        "hostname; df -m --output=size /dev/shm | tail -n 1; echo 7 >/checkpoints/step",
      ),
    ).toMatch(/^trainer-0\n\s*64$/);
    expect(await inside("notebook", "hostname; cat /checkpoints/step; ! touch /datasets/x 2>/dev/null")).toBe(
      "notebook-0\n7",
    );
    const limits = async (container: string) => (await pod(container)).spec.containers[0]?.resources.limits;
    expect(await limits("trainer")).toMatchObject({ "nvidia.com/gpu": "4" });
    expect(await limits("notebook")).toMatchObject({ "nvidia.com/mig-1g.10gb": "1" });
  });

  it("lets a container wait for GPUs that others have, and says what it costs", async () => {
    await setPaths(gpuTeam, {
      "team.containers.second.authorizedKeys[0]": gpuLaptop.publicKey,
      "team.containers.second.resources.requests.cpu": "50m",
      "team.containers.second.resources.memory": "256Mi",
      "team.containers.second.resources.gpu.count": "1",
    });
    const { code, report } = await guard(await previewJson(gpuTeam));
    expect({ code, cost: report.includes("GPUs: +1") }).toEqual({ code: 0, cost: true });
    expect(await gpuUp()).toEqual(["create", "same"]);
    const { status } = await eventually("the scheduler's word on second", async () => {
      const found = await pod("second");
      return found.status.conditions?.some(({ message }) => message) ? found : undefined;
    });
    expect(status.phase).toBe("Pending");
    expect(status.conditions[0]?.message).toContain("Insufficient nvidia.com/gpu");
    expect(await inside("notebook", "hostname")).toBe("notebook-0");
  });
});

describe("destroy", () => {
  it("leaves the volumes, in the team's namespace, and nothing else", async () => {
    await team.destroy();
    await platform.destroy();
    const { gateway, frp, files, team: own } = namespaces;
    const left = await kubectl([
      "get",
      "namespaces",
      "--ignore-not-found",
      "-o",
      "name",
      gateway,
      frp,
      files,
      own,
    ]);
    expect(left.trim()).toBe(`namespace/${own}`);
    const kinds = await everyKind(kubectl);
    // What the cluster and Istio put into every namespace is no stack's.
    const ambient = new RegExp(
      `^(ConfigMap ${own}/(kube-root-ca.crt|istio-ca-(root-cert|crl))|ServiceAccount ${own}/default)$`,
    );
    const found = async () =>
      (await objects(kubectl, kinds, "-n", own)).filter(
        (one) => one.includes(` ${own}/`) && !ambient.test(one),
      );
    const volumes = ["dev1-home", "dev2-home", "models-storage"];
    await expect
      .poll(found, { timeout: 60_000, interval: 1000 })
      .toEqual(volumes.map((name) => `PersistentVolumeClaim ${own}/${name}`));
  });
});
