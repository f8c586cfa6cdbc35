/** A list that changes a hundred times under fifty downloads: what stays allowed is never lost, what is removed ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { EgressGateway } from "@drawbridge-iac/drawbridge";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { Internet, machines } from "../support/lab/internet.ts";
import { ContainerStack } from "../support/stacks/containers.ts";
import { testEgressGateway } from "../support/stacks/egress-stack.ts";

const team = "team-changes";
const gateway = "egress-changes";
const hosts = Array.from({ length: 50 }, (_, index) => `h${index}.test`);
/** Those that are in every list, and those of which each change takes one away. */
const [staying, moving] = [hosts.slice(0, 25), hosts.slice(25)];
const changes = 100;

/**
 * Downloads by curl, one thread each: `open HOST` on standard input begins one, however often that is refused; its first line
 * and its end are told.
 */
const downloads = `
import subprocess, sys, threading
def download(host):
    while True:
        with open("/tmp/" + host, "wb") as log:
            curl = subprocess.Popen(["curl", "-skN", "https://" + host + "/count"], stdout=subprocess.PIPE)
            for line in curl.stdout:
                if log.tell() == 0: print("open", host, flush=True)
                log.write(line)
                log.flush()
            curl.wait()
            if log.tell() > 0:
                print("ended", host, flush=True)
                return
for command in sys.stdin:
    threading.Thread(target=download, args=(command.split()[1],), daemon=True).start()
`;

let internet: Internet;
let stack: ContainerStack;
let child: ChildProcess;
/** What the downloads have told, in order. */
const told: string[] = [];
const begin = (host: string) => child.stdin?.write(`open ${host}\n`);
const endings = () => told.filter((line) => line.startsWith("ended "));

beforeAll(async () => {
  internet = await Internet.start(Object.fromEntries(hosts.map((host) => [host, [machines[0]]])));
  stack = await ContainerStack.create(team, "gw-changes");
  await stack.up({
    dev: () => {
      const egress: EgressGateway = testEgressGateway(gateway);
      // For fifty curls.
      const resources = { requests: { cpu: "20m" }, memory: "512Mi" };
      return { resources, egress: { gateway: egress, hosts } };
    },
  });
  await stack.ready("dev");
  child = spawn("kubectl", ["-n", team, "exec", "-i", "dev-0", "--", "python3", "-c", downloads]);
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => told.push(line));
});

afterAll(async () => {
  child?.kill();
  await stack?.close();
  await kubectl(["delete", "namespace", gateway, "--ignore-not-found", "--wait=false"]);
  await internet?.remove();
});

async function allow(list: readonly string[]): Promise<void> {
  const grant = JSON.stringify({ data: { hosts: list.map((host) => `${host}\n`).join("") } });
  await kubectl(["-n", team, "patch", "configmap", "egress-grant.dev", "--type=merge", "-p", grant]);
}

it("100 changes under 50 downloads", async () => {
  for (const host of hosts) begin(host);
  await eventually("all downloads", async () => told.length === hosts.length);
  expect(told.toSorted()).toEqual(hosts.map((host) => `open ${host}`).toSorted());
  const removed = Array.from({ length: changes }, (_, index) => moving[index % moving.length] ?? "");
  const late: string[] = [];
  for (const [index, host] of removed.entries()) {
    await allow(hosts.filter((other) => other !== host));
    const before = removed[index - 1];
    if (before !== undefined) begin(before);
    await sleep(2_000);
    if (endings().at(-1) !== `ended ${host}`) late.push(host);
    await eventually(
      `change ${index}`,
      async () => endings().length === index + 1 && told.length === hosts.length + 2 * index + 1,
    );
  }
  expect(endings()).toEqual(removed.map((host) => `ended ${host}`));
  expect(late).toEqual([]);
  // No line is missing of those that nobody ended.
  const logs = await run("kubectl", [
    "-n",
    team,
    "exec",
    "dev-0",
    "--",
    "sh",
    "-c",
    `cd /tmp && tail -n+1 ${staying.join(" ")}`,
  ]);
  const counted = logs.stdout.split(/^==> .* <==\n/m).slice(1);
  expect(counted).toHaveLength(staying.length);
  for (const text of counted) {
    const lines = text.trim().split("\n").map(Number);
    expect(lines).toEqual(lines.map((_, index) => index + 1));
    expect(lines.length).toBeGreaterThan(changes * 10);
  }
});
