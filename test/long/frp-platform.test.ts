/**
 * The design that frp and the shared storage proxy come from, verified in its own four steps: the accessors, the
 * proxy, the pod with its sidecars, and what is published. Logins into such a pod: frp-containers.test.ts; changed keys:
 * frp.test.ts.
 */
import type { DevContainerStatus } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { testStack, valuesOf } from "../support/engine/engine.ts";
import { endStack, testContainer, testNamespace } from "../support/lab/cluster.ts";
import { getObject, Laptop, run } from "../support/lab/lab.ts";
import { byFrp, frpSuffix, testFrpServer } from "../support/stacks/frp-stack.ts";
import { login, prepareWith, reader, testAccess, testProxy, testStorage } from "../support/stacks/storage.ts";

const team = "runtime-instance";
const server = "frp-gpu";
const unit = "demo-instance";
const storages = ["model-cache", "scratch"] as const;

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let published: {
  frpCommand: string;
  connectAddress: string;
  status: DevContainerStatus;
  address: string;
  urls: string[];
  states: string[];
};

function program() {
  const namespace = testNamespace(team);
  const proxy = testProxy("files-gpu");
  const frp = testFrpServer(server);
  const [cache, scratch] = storages.map((name) =>
    testStorage(
      name,
      {
        namespace: team,
        colocationGroup: "work",
        browse: testAccess(proxy),
        ...(name === "scratch"
          ? {}
          : { prepare: prepareWith("mkdir -p model; echo seeded > model/README.txt") }),
      },
      [namespace],
    ),
  ) as [ReturnType<typeof testStorage>, ReturnType<typeof testStorage>];
  const container = testContainer(
    unit,
    {
      namespace: team,
      authorizedKeys: [],
      image: imageRef("busybox"),
      command: ["httpd", "-f", "-p", "8080", "-h", "/workspace/cache"],
      ports: [{ name: "http", port: 8080 }],
      ssh: { mode: "sidecar", image: imageRef("devcontainer"), resources: { memory: "128Mi" } },
      access: {
        frp: { ...byFrp(frp), username: "jovyan", authorizedKeys: [laptop.publicKey] },
      },
      storage: [
        { from: cache.ref, mountPath: "/workspace/cache" },
        { from: scratch.ref, mountPath: "/workspace/scratch" },
      ],
    },
    [namespace],
  );
  return {
    frpCommand: container.frpCommand,
    connectAddress: frp.connectAddress,
    status: container.status,
    address: proxy.address,
    urls: [cache.url, scratch.url],
    states: [cache.state, scratch.state],
  };
}

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(async () => program());
  const { outputs } = await stack.stack.up();
  published = valuesOf(outputs) as typeof published;
});

afterAll(() => endStack(stack, [team, server], laptop));

it("first: each storage's accessor is dufs behind a Service, and its address is in the status", async () => {
  type Pods = { items: { spec: { containers: { image: string }[] } }[] };
  for (const name of storages) {
    const { spec } = await getObject<{ spec: { selector: Record<string, string> } }>([
      ...["-n", team, "service", `${name}-files`],
    ]);
    const selector = Object.entries(spec.selector).map(([key, value]) => `${key}=${value}`);
    const { items } = await getObject<Pods>(["-n", team, "pods", "-l", selector.join(",")]);
    expect(items.map((pod) => pod.spec.containers.some(({ image }) => image === imageRef("dufs")))).toEqual([
      true,
    ]);
  }
  expect(published.urls).toEqual(
    storages.map((name) => `http://${published.address}/storage/${team}/${name}/`),
  );
  expect(published.states).toEqual(["Ready", "Ready"]);
});

it("second: the shared proxy leads to both storages by namespace and name", async () => {
  const heads = await Promise.all(
    published.urls.map((url) => run("curl", ["-sI", ...login(reader), "--max-time", "20", url])),
  );
  expect(heads.map(({ stdout }) => stdout.split("\r\n")[0])).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 200 OK"]);
  const seeded = await run("curl", ["-s", ...login(reader), `${published.urls[0]}model/README.txt`]);
  expect(seeded.stdout).toBe("seeded\n");
});

it("third: the pod has one main container, sshd and frpc as restartable sidecars, and keys in a ConfigMap", async () => {
  type Named = { name: string; restartPolicy?: string };
  const { spec } = await getObject<{ spec: { containers: Named[]; initContainers: Named[] } }>([
    ...["-n", team, "pod", `${unit}-0`],
  ]);
  expect(spec.containers.map(({ name }) => name)).toEqual(["dev"]);
  expect(spec.initContainers.map(({ name, restartPolicy }) => [name, restartPolicy])).toEqual([
    ["sshd", "Always"],
    ["frpc", "Always"],
  ]);
  const { data } = await getObject<{ data: Record<string, string> }>([
    ...["-n", team, "configmap", `${unit}-authorized-keys`],
  ]);
  expect(Object.values(data).join("").trim().split("\n")).toEqual([laptop.publicKey]);
});

it("fourth: the status and the command are published", () => {
  expect(published.status).toMatchObject({ phase: "Ready" });
  expect(published.frpCommand).toBe(
    `ssh -o StrictHostKeyChecking=yes -o ProxyCommand='nc -X connect -x ${published.connectAddress}:1337 %h %p' jovyan@${unit}.${team}.${frpSuffix}`,
  );
});
