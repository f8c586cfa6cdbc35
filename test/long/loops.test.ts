/**
 * What one person does in a loop, under the limits that everybody gets: by each ProxyCommand that the pages name, and by frp.
 * What is beyond them is told or waited for; floods are attacks-flood.test.ts.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ProxyProgram } from "../../packages/drawbridge/src/host/client-texts/proxy-command.ts";
import { sshConfigText } from "../../packages/drawbridge/src/host/client-texts/ssh-config.ts";
import type { SshTarget } from "../../packages/drawbridge/src/host/client-texts/target.ts";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { testStack, valuesOf } from "../../scripts/lib/engine/engine.ts";
import { eventually, Laptop, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { byGateway, endStack, testContainer, testGateway, testNamespace } from "../support/lab/cluster.ts";
import { byFrp, testFrpServer } from "../support/stacks/frp-stack.ts";

const team = "team-loops";
/** Each way has a container of its own, so that each meets the limits from their beginning. */
const ways = {
  "gateway, drawbridge proxy": "one.gateway",
  "gateway, nc": "two-nc",
  "gateway, proxytunnel": "three-proxytunnel",
  "frp, drawbridge proxy": "four.frp",
  "frp, nc": "five-frp",
} as const;
const hosts = Object.values(ways);

let cli: InstalledCli;
let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let config: string;

beforeAll(async () => {
  [cli, laptop] = await Promise.all([installCli(), Laptop.create("loops")]);
  stack = await testStack(async () => {
    // One proxy has no second one's limits beside its own.
    const gateway = testGateway("gw-loops", { connectionLimits: {}, replicas: 1 });
    const frp = testFrpServer("frp-loops", { connectionLimits: {} });
    const namespace = testNamespace(team);
    const containers = ["one", "two", "three", "four", "five"].map((name) =>
      testContainer(
        name,
        {
          namespace: team,
          authorizedKeys: [laptop.publicKey],
          access: { ...byGateway(gateway), frp: byFrp(frp) },
        },
        [namespace],
      ),
    );
    return Object.fromEntries(containers.map(({ sshTarget }, index) => [`target${index}`, sshTarget]));
  });
  const { outputs } = await stack.stack.up();
  const file = join(cli.home, "outputs.json");
  await writeFile(file, JSON.stringify(valuesOf(outputs)));
  const written = await cli.run(["ssh-config", "--from", file, "--identity", laptop.keyFile]);
  if (written.code !== 0) throw new Error(written.stderr);
  const folder = join(cli.home, ".ssh");
  const other = (index: number, way: "gateway" | "frp", program: ProxyProgram, alias: string) => {
    const target = outputs[`target${index}`]?.value as SshTarget;
    const text = { alias, program, identityFile: laptop.keyFile };
    return sshConfigText(
      { ...target, ways: target.ways.filter((one) => one.way === way) },
      { ...text, knownHostsFile: join(folder, "drawbridge", "known_hosts") },
    );
  };
  config = join(cli.home, "config");
  await writeFile(
    config,
    [
      await readFile(join(folder, "config"), "utf8"),
      other(1, "gateway", "nc", "two-nc"),
      other(2, "gateway", "proxytunnel", "three-proxytunnel"),
      other(4, "frp", "nc", "five-frp"),
      "Host *\n  BatchMode yes\n",
    ].join("\n"),
  );
  for (const host of hosts) {
    await eventually(`a login by ${host}`, async () => (await ssh(host)).code === 0, 120);
  }
});

afterAll(() => endStack(stack, [team, "frp-loops"], laptop, cli));

const by = (program: "ssh" | "scp", ...args: string[]): Promise<Outcome> =>
  run(program, ["-F", config, ...args], { env: cli.env, timeoutSeconds: 180 });
const ssh = (host: string) => by("ssh", host, "true");
const atOnce = (host: string, times: number) => Promise.all(Array.from({ length: times }, () => ssh(host)));
const lost = (outcomes: readonly Outcome[]) => outcomes.filter(({ code }) => code !== 0);

/** A limit's bucket is full again. */
const refilled = () => new Promise((resolve) => setTimeout(resolve, 90_000));

it("a hundred scp one after the other by each way at the same time: none is lost", async () => {
  const file = join(cli.home, "note");
  await writeFile(file, "a line\n");
  const loops = Object.entries(ways).map(async ([way, host]) => {
    const begun = performance.now();
    const outcomes: Outcome[] = [];
    while (outcomes.length < 100)
      outcomes.push(await by("scp", "-q", file, `${host}:note-${outcomes.length}`));
    console.log(`100 scp by ${way}: ${Math.round((performance.now() - begun) / 1000)} s`);
    return [way, lost(outcomes)] as const;
  });
  const none = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  expect(Object.fromEntries(await Promise.all(loops))).toEqual(none);
});

it("thirty ssh at once by each way: none is lost", async () => {
  await refilled();
  for (const [way, host] of Object.entries(ways)) {
    const begun = performance.now();
    expect([way, lost(await atOnce(host, 30))]).toEqual([way, []]);
    console.log(`30 ssh at once by ${way}: ${Math.round((performance.now() - begun) / 1000)} s`);
  }
});

it("more at once than the limit has: drawbridge proxy waits and says why, nc says why", async () => {
  await refilled();
  const waited = await atOnce(ways["gateway, drawbridge proxy"], 36);
  expect(lost(waited)).toEqual([]);
  const told =
    /^drawbridge: http:\S+: the gateway limits how often you may connect \(429\); wait a little, or let sessions share a connection: drawbridge ssh-config --multiplex 600; trying again for up to 30 s\n$/;
  const waiting = waited.filter(({ stderr }) => stderr !== "");
  expect(waiting.length).toBeGreaterThan(0);
  for (const { stderr } of waiting) expect(stderr).toMatch(told);
  const refused = lost(await atOnce(ways["gateway, nc"], 36));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(6);
  for (const { stderr } of refused) expect(stderr).toContain("429 Too Many Requests");
});
