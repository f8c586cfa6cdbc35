/** `drawbridge list` beside what the components' own outputs say, over a real cluster. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keysOf } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { testStack, valuesOf } from "../../scripts/lib/engine/engine.ts";
import { eventually, Laptop } from "../../scripts/lib/lab/lab.ts";
import { byGateway, endStack, testContainer, testGateway, testNamespace } from "../support/lab/cluster.ts";
import { testAccess, testProxy, testStorage } from "../support/stacks/storage.ts";

const team = "team-list";

let laptop: Laptop;
let cli: InstalledCli;
let stack: Awaited<ReturnType<typeof testStack>>;
let outputs: Record<string, unknown>;

async function program() {
  const namespace = testNamespace(team);
  const proxy = testProxy("files-list");
  const models = testStorage("models", { namespace: team, browse: testAccess(proxy) }, [namespace]);
  const off = testAccess(proxy, { enabled: false, credentials: [] });
  const closed = testStorage("closed", { namespace: team, browse: off }, [namespace]);
  const common = {
    namespace: team,
    authorizedKeys: [laptop.publicKey],
    access: byGateway(testGateway("gw-list")),
  };
  const box = testContainer(
    "box",
    {
      ...common,
      authorizedKeys: keysOf({ tester: { keys: [laptop.publicKey] } }, { people: ["tester"] }),
      access: { ...common.access, sshpod: { groups: ["team-a"] } },
    },
    [namespace],
  );
  const unplaced = { wait: false, scheduling: { nodeSelector: { pool: "none" } } };
  const waiting = testContainer("waiting", { ...common, ...unplaced }, [namespace]);
  return {
    ssh: [box.sshTarget, waiting.sshTarget],
    storages: [models.storageTarget, closed.storageTarget],
    status: { box: box.status, waiting: waiting.status },
    urls: [models.url, closed.url],
  };
}

beforeAll(async () => {
  [laptop, cli] = await Promise.all([Laptop.create(), installCli()]);
  stack = await testStack(program);
  await stack.stack.up();
  // Pulumi does not wait for `waiting`, and may have read its state before the cluster had begun it.
  const result = await stack.stack.up({ refresh: true });
  outputs = valuesOf(result.outputs);
  const saved = await cli.run(["ssh-config", "--from", "-"], { input: JSON.stringify(outputs) });
  expect(saved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ssh box\nssh waiting\nwrote /) });
});

afterAll(() => endStack(stack, [team], laptop, cli));

it("tells how each container's pod is and whether sshd answers by each way, and of the storages", async () => {
  const rows = await eventually("the gateway's route", async () => {
    const { stdout } = await cli.run(["list"]);
    return stdout.includes("gateway answers")
      ? stdout.split("\n").map((line) => line.split(/ {2,}/))
      : undefined;
  });
  const [models, closed] = outputs.urls as string[];
  const host = (name: string) => `${name}.${team}.dev.example.com`;
  expect(rows).toEqual([
    ["NAME", "USER", "HOST", "POD", "WAYS IN"],
    ["box", "jovyan", host("box"), "Ready", "gateway answers, sshpod answers"],
    [
      "waiting",
      "jovyan",
      host("waiting"),
      "Starting: Unschedulable",
      "gateway says 503, sshpod: no answer (pod)",
    ],
    [""],
    ["NOT READY", "WHY"],
    ["waiting", expect.stringMatching(/^no node takes it: .*node affinity\/selector/)],
    [""],
    ["STORAGE", "NAMESPACE", "STATE", "ADDRESS", "NOW"],
    ["models", team, "Ready", models, "answers"],
    ["closed", team, "Ready", closed, "not served now"],
    [""],
  ]);
});

it("gives the reasons in full as JSON", async () => {
  const { containers } = JSON.parse((await cli.run(["list", "--json"])).stdout);
  expect(containers[1].pod.conditions[0]).toMatchObject({ type: "PodReady", reason: "Unschedulable" });
  expect(containers[1].pod.conditions[0].message).toContain("node affinity/selector");
});

it("tells nothing of pods to whom the Kubernetes API tells nothing", async () => {
  const { stdout } = await cli.run(["list", "--json"], { env: { KUBECONFIG: "/nonexistent" } });
  const [box] = JSON.parse(stdout).containers;
  expect([box.pod, box.ways.map(({ answers }: { answers: boolean }) => answers)]).toEqual([
    undefined,
    [true, false],
  ]);
});

it("tells what a change of people has still to reach in the cluster", async () => {
  const told = async (keys: string[]) => {
    const file = join(cli.home, "people.json");
    await writeFile(file, JSON.stringify({ people: { tester: { keys } } }));
    return (await cli.run(["list", "--people", file])).stdout;
  };
  expect(await told([])).toBe(
    `STACK  CONTAINER${" ".repeat(`${team}/box`.length - 7)}PENDING\n-      ${team}/box  tester loses 1 key\n`,
  );
  expect(await told([laptop.publicKey])).toBe("all containers that name people (1) have their keys\n");
});

it("agrees with the outputs, in which the objects themselves speak", () => {
  type Status = { phase: string; conditions: { type: string; status: boolean; reason: string }[] };
  const told = ({ phase, conditions }: Status) => [
    phase,
    ...conditions.map(({ type, status, reason }) => `${status ? "" : "not "}${type}: ${reason}`),
  ];
  const { box, waiting } = outputs.status as { box: Status; waiting: Status };
  expect(told(box)).toEqual([
    "Ready",
    "PodReady: Ready",
    "SshReady: Listening",
    "GatewayRoute: Routed",
    "SshpodGranted: Granted",
  ]);
  expect(told(waiting)).toEqual([
    "Starting",
    "not PodReady: NotReady",
    "not SshReady: NotReady",
    "GatewayRoute: Routed",
    "not SshpodGranted: NobodyNamed",
  ]);
});
