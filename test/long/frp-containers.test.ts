/** Several containers on one frps: every way to bring sshd, both ways in, and changes that leave others alone. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { eventually, getObject, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { FrpStack, frpSuffix } from "../support/stacks/frp-stack.ts";

const team = "team-fc";
const untilStopped = ["sh", "-c", "httpd -p 8080 -h /etc; until [ -e /tmp/stop ]; do sleep 1; done"];
const containers = {
  own: {},
  beside: {
    image: imageRef("busybox"),
    ssh: { mode: "sidecar", image: imageRef("devcontainer"), resources: { memory: "128Mi" } },
    command: untilStopped,
  },
  "any-image": {
    image: imageRef("busybox"),
    ssh: { mode: "injected", image: imageRef("sshd-bundle"), port: 2222 },
    command: untilStopped,
  },
} as const;

let stack: FrpStack;

beforeAll(async () => {
  stack = await FrpStack.create(team, "frp-fc");
  await stack.up({ containers, gateway: "gw-fc" });
});

afterAll(() => stack.close());

it.each(Object.keys(containers))("%s is reached by both ways in, with one host key", async (name) => {
  for (const way of ["gateway", "frp"]) {
    const outcome = await stack.ssh(`${name}.${way}`, "hostname");
    expect([way, outcome.stdout]).toEqual([way, `${name}-0\n`]);
  }
  const command = `${stack.outputs[name]?.frpCommand} -F ${stack.laptop.plainConfigFile} hostname`;
  expect(await run("sh", ["-c", command], { env: stack.laptop.env })).toMatchObject({
    code: 0,
    stdout: `${name}-0\n`,
  });
  const keys = (stack.outputs[name]?.knownHosts ?? "").trim().split("\n");
  expect(keys.length).toBe(1);
  expect(keys[0]).toContain(`${name}.${team}.${frpSuffix}`);
});

it("beside an application, sshd starts first, then frpc, and the session outlives the application", async () => {
  type Pod = {
    spec: { initContainers: { name: string; startupProbe?: unknown }[]; containers: { name: string }[] };
    status: {
      initContainerStatuses: { name: string; state: { running?: { startedAt: string } } }[];
      containerStatuses: { restartCount: number }[];
    };
  };
  const look = () => getObject<Pod>(["-n", team, "pod", "beside-0"]);
  const { spec, status } = await look();
  expect(spec.containers.map(({ name }) => name)).toEqual(["dev"]);
  expect(spec.initContainers.map(({ name, startupProbe }) => [name, startupProbe !== undefined])).toEqual([
    ["home-folder", false],
    ["sshd", true],
    ["frpc", false],
  ]);
  const started = status.initContainerStatuses
    .slice(1)
    .map(({ state }) => Date.parse(state.running?.startedAt ?? ""));
  expect(started[1]).toBeGreaterThanOrEqual(started[0] ?? Number.NaN);

  const session = stack.laptop.openCounter("beside.frp");
  await session.reached(3);
  await kubectl(["-n", team, "exec", "beside-0", "-c", "dev", "--", "touch", "/tmp/stop"]);
  await eventually(
    "the application's restart",
    async () => (await look()).status.containerStatuses[0]?.restartCount === 1,
  );
  await session.reached(session.lines.length + 10);
  expect(session).toMatchObject({ alive: true, unbroken: true });
  await session.close();
});

it("adding and removing containers, and closing one's way in, leaves open sessions alone", async () => {
  const session = stack.laptop.openCounter("own.frp");
  await session.reached(5);
  const frps = async () =>
    (
      await getObject<{ items: { metadata: { uid: string } }[] }>([
        ...["-n", "frp-fc", "pods", "-l", "app.kubernetes.io/component=frp-server"],
      ])
    ).items.map(({ metadata }) => metadata.uid);
  const before = await frps();
  await stack.up({
    gateway: "gw-fc",
    containers: {
      own: {},
      added: { wait: false },
      beside: { ...containers.beside, access: { frp: { enabled: false } } },
    },
    server: { containers: [{ namespace: team, name: "added", domains: [`added.${frpSuffix}`] }] },
  });
  expect((await stack.ssh("added.frp", "hostname")).stdout).toBe("added-0\n");
  await session.reached(session.lines.length + 10);
  expect(session).toMatchObject({ alive: true, unbroken: true });
  expect(await frps()).toEqual(before);
  await session.close();
  for (const name of ["beside", "any-image"]) {
    const request = `CONNECT ${name}.${team}.${frpSuffix}:22 HTTP/1.1\\r\\n\\r\\n`;
    // Pulumi's provider may take a StatefulSet's former pod for the new one, whose end frps then sees a little later.
    await eventually(
      `the end of ${name}'s way in`,
      async () => {
        const answer = await run("sh", ["-c", `printf '${request}' | nc -w 5 ${stack.connectAddress} 1337`]);
        expect([name, answer.stdout.split("\r\n")[0]]).toEqual([name, "HTTP/1.1 404 Not Found"]);
        return true;
      },
      120,
    );
  }
});
