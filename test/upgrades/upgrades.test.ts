/**
 * docs/platform.md, executed: a platform that is shipped on the versions before, then Istio and Kubernetes are replaced one
 * program after the other under a session that stays open.
 */
import { toolVersions, upgrade } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type CounterSession,
  eventually,
  gatewayStats,
  getObject,
  kubectl,
  run,
  shell,
} from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { testGateway } from "../support/lab/cluster.ts";
import { lab, livingPods } from "../support/lab/nodes.ts";
import { ContainerStack } from "../support/stacks/containers.ts";

const team = "team-upgrades";
const gateway = "gw-upgrades";
const selector = `app.kubernetes.io/instance=${gateway},app.kubernetes.io/component=ssh-gateway`;
const drainSeconds = 40;
const versions = toolVersions();

let stack: ContainerStack;
/** Open from before the first step. */
let session: CounterSession;

beforeAll(async () => {
  stack = await ContainerStack.create(team, gateway, {
    gateway: (name) => testGateway(name, { drainSeconds, replicas: 2 }),
  });
  await stack.up({ dev1: {} });
  await stack.output("dev1", "head -c 5000000 /dev/urandom > kept; sha256sum kept > sum");
  session = stack.laptop.openCounter("dev1");
  await session.reached(10);
});

afterAll(async () => {
  await session.close();
  await stack.close();
});

/** Nothing was lost, and what is typed from now on arrives. */
async function goesOn(): Promise<void> {
  await session.reached(session.lines.length + 20);
  expect([session.alive, session.unbroken]).toEqual([true, true]);
}

/** A login that begins now, and what only a whole cluster can do. */
async function works(): Promise<void> {
  expect(await stack.output("dev1", "sha256sum -c sum")).toBe("kept: OK\n");
}

const apiVersion = async () => JSON.parse(await kubectl(["get", "--raw", "/version"])).gitVersion as string;
const kubeletVersion = async () =>
  kubectl(["get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}"]);
const istiodVersion = async () =>
  (
    await run("kubectl", [
      "get",
      "--raw",
      "/api/v1/namespaces/istio-system/services/istiod:15014/proxy/version",
    ])
  ).stdout;
const proxyImages = async () =>
  (
    await getObject<{ items: { spec: { containers: { image: string }[] } }[] }>([
      ...["-n", gateway, "pods", "-l", selector],
    ])
  ).items.map(({ spec }) => spec.containers[0]?.image);

const podUid = async () => (await stack.pod<{ metadata: { uid: string } }>("dev1")).metadata.uid;

test("the platform runs on the versions before", async () => {
  expect([await apiVersion(), await kubeletVersion()]).toEqual([
    versions["previous-kube-apiserver"],
    versions["previous-kubelet"],
  ]);
  expect(await istiodVersion()).toContain(versions["previous-pilot-discovery"]);
  expect(await proxyImages()).toEqual(Array(2).fill("drawbridge.local/proxyv2:previous"));
});

test("istiod is replaced: no listener of the gateway changes, so no session ends", async () => {
  const modified = () => gatewayStats(gateway, selector, ["listener_manager_listener_modified"]);
  const before = await modified();
  await upgrade(lab, "istiod");
  await eventually("the newer istiod", async () =>
    (await istiodVersion()).includes(versions["pilot-discovery"]),
  );
  // What it makes of a route has to reach the older proxies.
  await stack.up({ dev1: {}, dev2: {} });
  expect(await stack.output("dev2", "hostname")).toBe("dev2-0\n");
  await new Promise((resolve) => setTimeout(resolve, (drainSeconds + 10) * 1000));
  expect(await modified()).toEqual(before);
  await goesOn();
  await works();
});

test("the proxies are rolled: logins go on, an open session stays on its older one for the drain", async () => {
  const old = await livingPods(gateway, selector);
  const began = Date.now();
  const roll = (await pageBlock("docs/platform.md", "sh", "rollout restart")).replaceAll(
    "ssh-ingress",
    gateway,
  );
  expect(await shell(roll, { timeoutSeconds: 100 })).toMatchObject({ code: 0 });
  await works();
  await goesOn();
  await eventually("the end of the older proxies", async () => {
    const names = (await livingPods(gateway, selector)).map(({ metadata }) => metadata.name);
    return old.every(({ metadata }) => !names.includes(metadata.name));
  });
  await eventually("the end of the session", async () => !session.alive, 120);
  expect(session.unbroken).toBe(true);
  expect((session.endedAt ?? 0) - began).toBeGreaterThan(drainSeconds * 1000);
  await eventually("the newer proxies alone", async () =>
    (await proxyImages()).every((image) => image === "drawbridge.local/proxyv2:lab"),
  );
  session = stack.laptop.openCounter("dev1");
  await session.reached(10);
});

test.each(["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"])(
  "%s is replaced, and the session goes on in the same pod",
  async (program) => {
    const uid = await podUid();
    const replaced = upgrade(lab, program);
    await works();
    await replaced;
    await eventually("the API server", async () => (await apiVersion()) === versions["kube-apiserver"]);
    if (program === "kubelet") {
      await eventually("the newer kubelet", async () => (await kubeletVersion()) === versions.kubelet);
    }
    await goesOn();
    await works();
    expect(await podUid()).toBe(uid);
  },
);

test("afterwards nothing is to be changed, and a new container comes up", async () => {
  expect(await stack.preview()).toEqual(["same"]);
  await stack.up({ dev1: {}, dev2: {}, dev3: {} });
  expect(await stack.output("dev3", "hostname")).toBe("dev3-0\n");
  await stack.restart("dev1");
  await works();
});
