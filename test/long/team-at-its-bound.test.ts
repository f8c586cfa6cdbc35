/**
 * One team fills its quota with everything that shared programs keep in memory or go through in each round. What that costs
 * them is printed. Meanwhile another team's container sleeps and wakes, and its sessions go on.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { idleSettingsAnnotation } from "../../packages/drawbridge/src/host/idle/contract.ts";
import { gatewayHostNames, hostRoute } from "../../packages/drawbridge/src/istio/ssh-route.ts";
import { defaultQuota, most } from "../../packages/drawbridge/src/istio/team-limits.ts";
import { selectorLabels } from "../../packages/drawbridge/src/kubernetes/labels.ts";
import { applyByForce, eventually, gatewayStats, getObject, kubectl } from "../../scripts/lib/lab/lab.ts";
import { deploy, handToNeighbour } from "../../scripts/lib/stacks/deployer.ts";
import { memoryOf, processesWith, systemPid } from "../support/lab/processes.ts";
import { restricted } from "../support/lab/restricted.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const full = "team-full";
const serviceCount = Number(defaultQuota.services);
const podCount = Number(defaultQuota.pods);
let idle: IdleStack;
/** The annotation of a container that sleeps by this gateway. */
let settings: string;

beforeAll(async () => {
  idle = await IdleStack.create("team-beside");
  const sleeper = { idle: byHand, ...quickStop };
  await idle.up({ dev1: sleeper, dev2: sleeper });
  await idle.login("dev1");
  await idle.login("dev2");
  const { metadata } = await getObject<{ metadata: { annotations: Record<string, string> } }>([
    ...["-n", idle.team, "statefulset", "dev1"],
  ]);
  settings = metadata.annotations[idleSettingsAnnotation] ?? "";
  await handToNeighbour(full);
  const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "team", namespace: full } };
  await kubectl(["apply", "-f", "-"], JSON.stringify({ ...quota, spec: { hard: defaultQuota } }));
});

afterAll(async () => {
  await kubectl(["delete", "namespace", full, "--ignore-not-found", "--wait=false"]);
  await idle.close();
});

const upTo = (number: number) => Array.from({ length: number }, (_, index) => index);
const mebibytes = (bytes: number) => Math.round((bytes / 2 ** 20) * 10) / 10;

/** Objects of one container, each with as much in it as the policies let through. */
function fullest(name: string) {
  const labels = selectorLabels("dev-container", name);
  const metadata = { name, namespace: full, labels };
  const ports = upTo(most.servicePorts).map((index) => ({ name: `p${index}`, port: 1000 + index }));
  const host = {
    namespace: full,
    labels,
    names: { service: name, route: name },
    hostNames: gatewayHostNames(name, full, "dev.example.com"),
    access: { allowIdentities: [] },
    gatewayPorts: ports.slice(0, most.rules),
  };
  const subsets = upTo(8).map((index) => ({ name: `s${index}`, labels: { s: `${index}` } }));
  // What the control plane writes where a Service leads to all of the team's pods, 100 in a slice.
  const slices = upTo(2).map((slice) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: `${name}-${slice}`,
      namespace: full,
      // By the second label kube-proxy leaves them out, which would write rules for them for a quarter of an hour.
      labels: { "kubernetes.io/service-name": name, "service.kubernetes.io/headless": "" },
    },
    addressType: "IPv4",
    endpoints: upTo(podCount / 2).map((index) => ({
      addresses: [`10.${slice + 250}.0.${index}`],
      conditions: { ready: true },
    })),
    ports: ports.map(({ name, port }) => ({ name, port })),
  }));
  const container = { name: "dev", image: "registry.example.com/none:1", securityContext: restricted };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  return {
    slices,
    service: { apiVersion: "v1", kind: "Service", metadata, spec: { selector: labels, ports } },
    route: hostRoute(host, { name: idle.gatewayName, namespace: idle.gatewayName }),
    rule: {
      apiVersion: "networking.istio.io/v1",
      kind: "DestinationRule",
      metadata,
      spec: { host: `${name}.${full}.svc.cluster.local`, subsets, exportTo: ["."] },
    },
    sleeper: {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { ...metadata, annotations: { [idleSettingsAnnotation]: settings } },
      spec: { replicas: 0, serviceName: name, selector: { matchLabels: labels }, template },
    },
  };
}

const ofLab = async (program: string) => mebibytes(memoryOf(await systemPid(program)));

/** With the deployer's role, which may write no DestinationRules. */
const write = {
  service: deploy,
  route: deploy,
  sleeper: deploy,
  rule: (rules: readonly object[]) => applyByForce(...rules),
} as const;

async function costs() {
  const selector = `app.kubernetes.io/component=ssh-gateway,app.kubernetes.io/instance=${idle.gatewayName}`;
  const { server_memory_allocated: envoy = 0 } = await gatewayStats(idle.gatewayName, selector, [
    "server_memory_allocated",
  ]);
  const own = `--gateway=${idle.gatewayName}/${idle.gatewayName}`;
  return {
    gateway: mebibytes(envoy),
    istiod: await ofLab("pilot-discovery"),
    culler: mebibytes(memoryOf(...processesWith(["cull", own]))),
    activator: mebibytes(memoryOf(...processesWith(["activate", own]))),
    "kube-apiserver": await ofLab("kube-apiserver"),
  };
}

it("costs no other team its container, and no shared program its memory", async () => {
  const before = await costs();
  const session = idle.laptop.openCounter("dev2");
  await session.reached(5);
  const all = upTo(serviceCount).map((index) => fullest(`c${index}`));
  for (const kind of ["service", "rule", "route", "sleeper"] as const) {
    await write[kind](all.map((objects) => objects[kind]));
    const another = write[kind]([fullest("one-more")[kind]]);
    await expect(another, `one ${kind} more`).rejects.toThrow(/exceeded quota: team/);
  }
  await applyByForce(...all.flatMap(({ slices }) => slices));
  const answers = async () => {
    const { items } = await getObject<{ items: { metadata: { name: string } }[] }>([
      "-n",
      full,
      "endpointslices",
    ]);
    return items.filter(({ metadata }) => metadata.name.endsWith("-asleep")).length === serviceCount;
  };
  await eventually("the activator's answer for every sleeper", answers, 300);
  await idle.putToSleep("dev1");
  const woken = await eventually("a wake beside them", async () => {
    const outcome = await idle.wake("dev1", "echo awake");
    if (outcome.code !== 0) console.log(`not yet: ${outcome.stderr}`);
    return outcome.code === 0 && outcome;
  });
  expect(woken.stdout).toBe("awake\n");
  const after = await costs();
  expect({ alive: session.alive, unbroken: session.unbroken }).toEqual({ alive: true, unbroken: true });
  await session.close();
  console.log(`MiB before: ${JSON.stringify(before)}\nMiB after:  ${JSON.stringify(after)}`);
  // Half of its limit.
  expect(after.gateway).toBeLessThan(512);
  expect(after.activator).toBeLessThan(before.activator + 128);
  expect(after.culler).toBeLessThan(before.culler + 128);
});
