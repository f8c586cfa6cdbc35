/** frp under load and trouble: a big file, fifty sessions, ten changes, restarts of each part, a lost token. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { connectThrough } from "../../scripts/lib/stacks/frp.ts";
import { FrpStack, frpSuffix } from "../support/stacks/frp-stack.ts";

const team = "team-fl";
const server = "frp-fl";
// Room for a third of the fifty sessions each, and a dozen processes for every one of them.
// A request alone: a limit of so little would hold up sshd.
const resources = { requests: { cpu: "20m" }, memory: "1Gi" };
const base = { one: { resources }, two: { resources }, three: { resources } };
const names = Object.keys(base);

let stack: FrpStack;

beforeAll(async () => {
  stack = await FrpStack.create(team, server);
  await stack.up({ containers: base });
});

afterAll(() => stack.close());

/** The status line that the CONNECT port answers for a container's name. */
async function answer(name: string): Promise<string> {
  const { status, socket } = await connectThrough(
    1337,
    `${name}.${team}.${frpSuffix}`,
    "1.1",
    stack.connectAddress,
  );
  socket.destroy();
  return status;
}

const registered = async (name: string) => (await answer(name)) === "HTTP/1.1 200 OK";

/** Seconds from now until each container is registered again, in the order of `names`. */
async function secondsUntilBack(after: () => Promise<boolean>): Promise<number[]> {
  const start = Date.now();
  // Nobody answers, or someone else does.
  await eventually("the outage", async () => !(await after().catch(() => false)), 60);
  return Promise.all(
    names.map(async (name) => {
      await eventually(`${name} back`, () => registered(name), 90);
      return (Date.now() - start) / 1000;
    }),
  );
}

function report(what: string, seconds: readonly number[]): void {
  const sorted = [...seconds].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  console.log(`${what}: median ${median.toFixed(2)} s, worst ${(sorted.at(-1) ?? Number.NaN).toFixed(2)} s`);
}

type Pods = { items: { metadata: { name: string; uid: string } }[] };
const frpsPods = async () =>
  (await getObject<Pods>(["-n", server, "pods", "-l", "app.kubernetes.io/component=frp-server"])).items;

it("carries 1 GiB both ways unharmed", async () => {
  await stack.ssh("one", "true");
  const [there, back] = [`${stack.laptop.folder}/there`, `${stack.laptop.folder}/back`];
  await run("sh", ["-c", `head -c 1073741824 /dev/urandom >${there}`], { timeoutSeconds: 300 });
  const start = Date.now();
  expect((await stack.laptop.scp([there, "one:/home/jovyan/blob"], 900)).code).toBe(0);
  const middle = Date.now();
  expect((await stack.laptop.scp(["one:/home/jovyan/blob", back], 900)).code).toBe(0);
  const rate = (milliseconds: number) => (1024 / (milliseconds / 1000)).toFixed(0);
  console.log(`1 GiB by scp: ${rate(middle - start)} MiB/s up, ${rate(Date.now() - middle)} MiB/s down`);
  const sums = await run("sha256sum", [there, back], { timeoutSeconds: 120 });
  const [first, second] = sums.stdout
    .trim()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).toBe(first);
  await run("rm", ["-f", there, back]);
  await stack.ssh("one", "rm blob");
});

it("holds fifty sessions while ten containers are added and removed", async () => {
  const sessions = Array.from({ length: 50 }, (_, index) =>
    stack.laptop.openCounter(names[index % names.length] ?? "one", 500),
  );
  await Promise.all(sessions.map((session) => session.reached(3, 120)));
  const added = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`more-${index}`, { wait: false }]),
  );
  await stack.up({ containers: { ...base, ...added } });
  await Promise.all(Object.keys(added).map((name) => eventually(name, () => registered(name), 240)));
  await stack.up({ containers: base });
  await eventually("the last one's end", async () => (await answer("more-9")).includes("404"), 120);
  const before = sessions.map(({ lines }) => lines.length);
  await eventually("three more lines of each", async () =>
    sessions.every(({ alive, lines }, index) => !alive || lines.length > (before[index] ?? 0) + 2),
  );
  const broken = sessions.filter((session) => !session.alive || !session.unbroken);
  expect(broken.map(({ lines, stderr }) => [lines.length, stderr.trim()])).toEqual([]);
  await Promise.all(sessions.map((session) => session.close()));
});

it("has every container back within 3 s of a rollout of frps", async () => {
  const seconds: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = await frpsPods();
    const uid = before[0]?.metadata.uid;
    const session = stack.laptop.openCounter("one");
    await session.reached(1);
    // The old frps goes when the new one is ready; its end is what a session sees.
    await kubectl(["-n", server, "rollout", "restart", `deployment/${server}`]);
    await eventually("the old frps's end", async () => !session.alive, 120);
    const ended = session.endedAt ?? Number.NaN;
    const back = await Promise.all(
      names.map(async (name) => {
        await eventually(`${name} back`, () => registered(name), 60);
        return (Date.now() - ended) / 1000;
      }),
    );
    seconds.push(...back);
    await kubectl(["-n", server, "rollout", "status", `deployment/${server}`]);
    await eventually("one frps", async () => (await frpsPods()).every((pod) => pod.metadata.uid !== uid), 60);
  }
  report("rollout of frps, from the end of the sessions", seconds);
  expect(Math.max(...seconds)).toBeLessThan(3);
});

it("has every container back after frps was killed", async () => {
  const pod = (await frpsPods())[0]?.metadata.name ?? "";
  const killed = secondsUntilBack(() => registered("one"));
  await kubectl(["-n", server, "delete", "pod", pod, "--grace-period=0", "--force"]);
  const seconds = await killed;
  report("frps killed", seconds);
  expect(Math.max(...seconds)).toBeLessThan(30);
});

it("restarts frpc alone when the container's token changes", async () => {
  type Pod = {
    metadata: { uid: string };
    status: { initContainerStatuses: { name: string; restartCount: number }[] };
  };
  const look = () => getObject<Pod>(["-n", team, "pod", "two-0"]);
  const before = (await look()).metadata.uid;
  const token = "another token of at least thirty-two characters";
  await stack.up({ containers: { ...base, two: { resources, access: { frp: { token } } } } });
  const start = Date.now();
  await eventually(
    "frpc's restart",
    async () =>
      (await look()).status.initContainerStatuses.find(({ name }) => name === "frpc")?.restartCount === 1,
    180,
  );
  await eventually("two registered with its new token", () => registered("two"), 60);
  report("new token in force", [(Date.now() - start) / 1000]);
  expect((await look()).metadata.uid).toBe(before);
});

it("cuts off a container whose grant is taken away", async () => {
  const session = stack.laptop.openCounter("three");
  await session.reached(3);
  const start = Date.now();
  await kubectl(["-n", team, "delete", "configmap", "frp-grant.three"]);
  await eventually("the session's end", async () => !session.alive, 60);
  report("grant taken away", [((session.endedAt ?? Number.NaN) - start) / 1000]);
  expect((session.endedAt ?? Number.NaN) - start).toBeLessThan(15_000);
  expect(await answer("three")).toBe("HTTP/1.1 404 Not Found");
  const pod = (await frpsPods())[0]?.metadata.name ?? "";
  // frpc tries again, and again in vain.
  const refusal = await eventually("the refusal", async () => {
    const log = await kubectl(["-n", server, "logs", pod, "-c", "authorizer"]);
    return log.split("\n").find((line) => /team-fl\.three.*"refused"/.test(line));
  });
  expect(refusal).toContain("the user is unknown or its token is wrong");
});
