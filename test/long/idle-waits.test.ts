/** Anyone who wakes what cannot start is told why and what to do; once it is mended, the next try arrives. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { apply, eventually, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const sleeper = { idle: byHand, ...quickStop };
let idle: IdleStack;
let cli: InstalledCli;

beforeAll(async () => {
  idle = await IdleStack.create("team-waits");
  await idle.up({ dev1: sleeper, pulled: { ...sleeper, wait: false } });
  for (const name of ["dev1", "pulled"]) await idle.login(name);
  cli = await installCli();
});
afterAll(async () => {
  await idle.close();
  await cli?.remove();
});

/** By a client that knows nothing of the activator, and by ours. */
const plain = (name: string) => idle.wake(name, "hostname", 30);
const ours = (name: string) =>
  run(
    "ssh",
    [
      ...["-F", idle.laptop.plainConfigFile, "-o"],
      `ProxyCommand=drawbridge proxy --via http://${idle.address} --host %h --port %p`,
      ...["-l", "jovyan", idle.outputs[name]?.hostName ?? "", "hostname"],
    ],
    { env: { ...cli.env, HOME: idle.laptop.folder }, timeoutSeconds: 30 },
  );

async function refused(name: string, why: RegExp): Promise<void> {
  for (const client of [plain, ours]) {
    await idle.putToSleep(name);
    const { code, stderr } = await client(name);
    expect([code, stderr]).toEqual([255, expect.stringMatching(why)]);
  }
}

async function arrives(name: string): Promise<void> {
  for (const client of [plain, ours]) {
    await idle.putToSleep(name);
    expect(await client(name)).toMatchObject({ code: 0, stdout: `${name}-0\n` });
  }
}

it("a quota that is used up", async () => {
  await kubectl(["-n", idle.team, "create", "quota", "none", "--hard=pods=0"]);
  try {
    await refused(
      "dev1",
      /dev1: it cannot start: its pod cannot be made: .*quota.*; ask for less in the stack/s,
    );
  } finally {
    await kubectl(["-n", idle.team, "delete", "quota", "none"]);
  }
  await arrives("dev1");
});

it("an admission refusal", async () => {
  await apply({
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { name: "tiny", namespace: idle.team },
    spec: { limits: [{ type: "Pod", max: { memory: "1Mi" } }] },
  });
  try {
    await refused(
      "dev1",
      /its pod cannot be made: .*maximum memory usage per Pod is 1Mi.*; mend what it names/s,
    );
  } finally {
    await kubectl(["-n", idle.team, "delete", "limitrange", "tiny"]);
  }
  await arrives("dev1");
});

it("an image that cannot be pulled", async () => {
  await idle.putToSleep("pulled");
  const wrong = { ...sleeper, wait: false, image: "registry.invalid/none:1" };
  await idle.up({ ...idle.containers, pulled: wrong });
  await refused(
    "pulled",
    /pulled: it cannot start: (ErrImagePull|ImagePullBackOff) of container .*; check the image's name/s,
  );
  await idle.putToSleep("pulled");
  await idle.up({ ...idle.containers, pulled: { ...sleeper, wait: false } });
  await arrives("pulled");
});

it("drawbridge proxy says why it waits for a node, and goes on waiting", async () => {
  await idle.putToSleep("dev1");
  const node = (await kubectl(["get", "nodes", "-o", "jsonpath={.items[0].metadata.name}"])).trim();
  await kubectl(["cordon", node]);
  try {
    const waiting = ours("dev1");
    await eventually("its wake", async () => (await idle.replicas("dev1")) === 1);
    await new Promise((resolve) => setTimeout(resolve, 8000));
    await kubectl(["uncordon", node]);
    const { code, stdout, stderr } = await waiting;
    expect([code, stdout, stderr]).toEqual([
      0,
      "dev1-0\n",
      expect.stringMatching(
        /^drawbridge: dev1: no node takes it: .*; ask for less in the stack, or wait for a node$/m,
      ),
    ]);
  } finally {
    await kubectl(["uncordon", node]);
  }
});
