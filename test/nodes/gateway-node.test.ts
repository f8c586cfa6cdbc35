/** docs/runbooks.md: the node of one of the gateway's two proxies is lost. */
import { startNode, stopNode } from "@drawbridge-iac/lab";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, kubectl, typed } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { testGateway } from "../support/lab/cluster.ts";
import { lab, livingPods, on, type PodObject, readyAgain } from "../support/lab/nodes.ts";
import { ContainerStack } from "../support/stacks/containers.ts";
import { closeAll, openCounters, podsOf, tunnelsIn } from "../support/stacks/gateways.ts";

const team = "team-gn";
/** As the page calls it. */
const gateway = "ssh-ingress";
const label = "test.drawbridge.dev/proxies";
/** Where proxies may be; the container is on the first node, which lives as long as the lab. */
const pool = ["lab-node-2", "lab-node-3"];

let stack: ContainerStack;

beforeAll(async () => {
  await kubectl(["wait", "--for=delete", `namespace/${gateway}`, "--timeout=120s"]);
  for (const node of pool) await kubectl(["label", "node", node, `${label}=here`]);
  stack = await ContainerStack.create(team, gateway, {
    gateway: (name) => testGateway(name, { replicas: 2, scheduling: { nodeSelector: { [label]: "here" } } }),
  });
  await stack.up({ dev: { scheduling: on("lab-node"), wait: true } });
});

afterAll(async () => {
  await stack.close();
  for (const node of pool) await kubectl(["label", "node", node, `${label}-`]);
});

const proxies = async (): Promise<PodObject[]> => livingPods(gateway, podsOf(gateway));

/** Runs the page's lines about this node. */
async function followed(mark: string, node: string): Promise<string> {
  const block = await pageBlock("docs/runbooks.md", "sh", mark);
  return typed(block, { env: { NODE: node }, timeoutSeconds: 500 });
}

test("sessions through the other proxy go on, people get in, and after the taint there are two proxies again", async () => {
  const before = await proxies();
  expect(before.map(({ spec }) => spec.nodeName).sort()).toEqual(pool);
  await stack.output("dev", "true");
  const sessions = await openCounters(stack.laptop, "dev", 12);
  const lost = before[0] as PodObject;
  const node = lost.spec.nodeName ?? "";
  // The log is a moment behind.
  const there = await eventually("twelve tunnels in the logs", async () => {
    const counts = await Promise.all(before.map(({ metadata }) => tunnelsIn(gateway, metadata.name)));
    const [first = 0, second = 0] = counts;
    if (first + second !== 12) throw new Error(`${first} and ${second}`);
    return first;
  });
  expect([there > 0, there < 12]).toEqual([true, true]);

  const start = Date.now();
  const since = () => `${((Date.now() - start) / 1000).toFixed(0)} s`;
  await stopNode(lab, node);
  try {
    const gone = async () => {
      const ended = sessions.filter((session) => !session.alive).length;
      if (ended === there) return true;
      throw new Error(`${ended} of ${there}`);
    };
    const told = eventually("the end of the sessions there", gone, 240).then(() => since());
    expect(await followed("Ready=Unknown", node)).toContain(lost.metadata.name);
    // From now on no login is led to the lost proxy.
    for (let count = 0; count < 10; count += 1)
      expect(await stack.laptop.ssh(["dev", "hostname"])).toMatchObject({ code: 0, stdout: "dev-0\n" });
    await followed("out-of-service=nodeshutdown", node);
    const tainted = since();
    await followed("rollout status deployment/ssh-ingress", node);
    console.log(`given up and tainted after ${tainted}, two proxies again after ${since()}`);
    expect((await proxies()).map(({ spec }) => spec.nodeName)).toEqual(
      Array(2).fill(pool.find((one) => one !== node)),
    );
    console.log(`the last of ${there} lost sessions was told after ${await told}`);
  } finally {
    await startNode(lab, node);
    await followed("out-of-service-\n", node);
  }
  await readyAgain(node);
  // None but those through the lost proxy, and no line of the others.
  const alive = sessions.filter((session) => session.alive);
  expect([alive.length, alive.every((session) => session.unbroken)]).toEqual([12 - there, true]);
  await closeAll(sessions);
});
