/** Containers on three nodes: their gateway on one, themselves on others, of which one freezes, is drained and is lost. */
import { freezeNode, startNode, stopNode, thawNode } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, kubectl, run, typed } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { testGateway } from "../support/lab/cluster.ts";
import { lab, on, type PodObject, readyAgain, uncordon } from "../support/lab/nodes.ts";
import { ContainerStack } from "../support/stacks/containers.ts";

const team = "team-nodes";
const gateway = "gw-nodes";
/** Where the gateway is, so that every session crosses from one node to another. */
const middle = "lab-node-2";
const pool = { nodeSelector: { "test.drawbridge.dev/pool": team } };

let stack: ContainerStack;

beforeAll(async () => {
  await kubectl(["label", "node", "lab-node-3", `test.drawbridge.dev/pool=${team}`]);
  stack = await ContainerStack.create(team, gateway, {
    gateway: (name) => testGateway(name, { scheduling: on(middle) }),
  });
  await stack.up({
    stays: { scheduling: on("lab-node"), wait: true },
    moves: { scheduling: pool, home: { size: "1Gi", storageClassName: "network-disk" }, wait: true },
  });
  // From here on it may run on either.
  await kubectl(["label", "node", middle, `test.drawbridge.dev/pool=${team}`]);
});

afterAll(async () => {
  await stack.close();
  for (const node of [middle, "lab-node-3"]) {
    await kubectl(["label", "node", node, "test.drawbridge.dev/pool-"]);
  }
});

test("each is reached by ssh through a gateway on another node, and by nothing else there", async () => {
  expect(await gatewayNode()).toBe(middle);
  expect([await nodeOf("stays"), await nodeOf("moves")]).toEqual(["lab-node", "lab-node-3"]);
  expect(await stack.output("stays", "hostname")).toBe("stays-0\n");
  expect(await stack.output("moves", "hostname")).toBe("moves-0\n");
  // The same port of the same pod, from a container on another node that is no gateway.
  const { podIP } = (await stack.pod<PodObject>("moves")).status;
  const knock = `timeout 3 bash -c 'exec 3<>/dev/tcp/${podIP}/22' && echo open || echo closed`;
  expect(await stack.output("stays", knock)).toBe("closed\n");
  expect(await stack.output("moves", knock)).toBe("open\n");
});

test("a session to a frozen node stands still, and goes on where it was", async () => {
  const session = stack.laptop.openCounter("moves");
  await session.reached(10);
  await freezeNode(lab, "lab-node-3");
  // What was on its way arrives.
  await eventually("silence", async () => {
    const before = session.lines.length;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return session.lines.length === before;
  });
  const silent = session.lines.length;
  await thawNode(lab, "lab-node-3");
  await session.reached(silent + 20);
  expect([session.alive, session.unbroken]).toEqual([true, true]);
  await session.close();
});

test("a drained container comes up on another node with its home and its host key", async () => {
  expect(
    await stack.output("moves", "head -c 5000000 /dev/urandom > kept; sha256sum kept > sum; echo ok"),
  ).toBe("ok\n");
  // Its budget lets nobody evict it unasked; the page says to delete the pod.
  const selector = "app.kubernetes.io/instance=moves";
  const drained = [
    "drain",
    "lab-node-3",
    "--pod-selector",
    selector,
    "--delete-emptydir-data",
    "--timeout=5s",
  ];
  const refused = await run("kubectl", drained);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("Cannot evict pod as it would violate the pod's disruption budget");
  expect(await nodeOf("moves")).toBe("lab-node-3");
  await moveFrom("lab-node-3", middle);
  // Strict checking of host keys is on.
  expect(await stack.output("moves", "sha256sum -c sum")).toBe("kept: OK\n");
});

test("a lost node ends no session elsewhere; its container comes back once the node is declared out of service", async () => {
  // Back to the node that can be lost without the gateway.
  await moveFrom(middle, "lab-node-3");
  expect(await stack.output("moves", "sha256sum -c sum")).toBe("kept: OK\n");

  const session = stack.laptop.openCounter("stays");
  await session.reached(10);
  const uid = (await stack.pod<PodObject>("moves")).metadata.uid;
  await stopNode(lab, "lab-node-3");
  expect(await followed("Ready=Unknown")).toContain("moves-0");
  // Kubernetes cannot know whether the lost pod still writes to its disk, so it waits for someone's word.
  expect([(await stack.pod<PodObject>("moves")).metadata.uid, await stack.readiness("moves")]).toEqual([
    uid,
    "False",
  ]);
  try {
    await followed("out-of-service=nodeshutdown");
    await followed("statefulset/$CONTAINER");
    const moved = await stack.pod<PodObject>("moves");
    expect([moved.metadata.uid === uid, moved.spec.nodeName]).toEqual([false, middle]);
    expect(await stack.output("moves", "sha256sum -c sum")).toBe("kept: OK\n");
  } finally {
    await startNode(lab, "lab-node-3");
    await followed("out-of-service-\n");
  }
  await readyAgain("lab-node-3");
  expect([session.alive, session.unbroken]).toEqual([true, true]);
  await session.close();
});

/** Runs the runbook's lines about the lost node. */
async function followed(mark: string): Promise<string> {
  const block = await pageBlock("docs/runbooks.md", "sh", mark);
  const env = { NODE: "lab-node-3", TEAM: team, CONTAINER: "moves" };
  return typed(block, { env, timeoutSeconds: 500 });
}

/** Takes the node out of service for new pods, and the container to the other one of its pool. */
async function moveFrom(node: string, to: string): Promise<void> {
  await kubectl(["cordon", node]);
  try {
    await stack.restart("moves");
    expect(await nodeOf("moves")).toBe(to);
  } finally {
    await uncordon(node);
  }
}

async function nodeOf(name: string): Promise<string | undefined> {
  return (await stack.pod<PodObject>(name)).spec.nodeName;
}

async function gatewayNode(): Promise<string> {
  return kubectl(["-n", gateway, "get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}"]);
}
