/** `drawbridge proxy` beside `nc`, in turn, so that what else the machine does meets both alike. */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type InstalledCli, installCli } from "../support/clients/cli.ts";
import {
  type LoopbackGateway,
  type LoopbackSshd,
  startGateway,
  startSshd,
} from "../support/clients/loopback-ssh.ts";
import { run } from "../support/lab/lab.ts";

const hostName = "dev1.team-a.dev.example.com";
const mebibytes = 256;
let cli: InstalledCli;
let sshd: LoopbackSshd;
let gateway: LoopbackGateway;
let config: string;

beforeAll(async () => {
  [cli, sshd] = await Promise.all([installCli(), startSshd()]);
  gateway = await startGateway({ [`${hostName}:22`]: { port: sshd.port } });
  config = join(cli.home, "config");
  const knownHosts = join(cli.home, "known_hosts");
  await writeFile(knownHosts, `${hostName} ${sshd.hostPublicKey}\n`);
  const commands = {
    nc: `nc -X connect -x 127.0.0.1:${gateway.port} %h %p`,
    drawbridge: `drawbridge proxy --via http://127.0.0.1:${gateway.port} --host %h --port %p`,
  };
  const blocks = Object.entries(commands).map(
    ([name, command]) => `Host ${name}\n  ProxyCommand ${command}\n`,
  );
  const rest = `Host *
  HostName ${hostName}
  User root
  IdentityFile ${sshd.userKey}
  IdentitiesOnly yes
  UserKnownHostsFile ${knownHosts}
  StrictHostKeyChecking yes
  Ciphers aes128-gcm@openssh.com
  BatchMode yes
`;
  await writeFile(config, [...blocks, rest].join(""));
  execFileSync("dd", ["if=/dev/urandom", `of=${cli.home}/big`, "bs=1M", `count=${mebibytes}`], {
    stdio: "ignore",
  });
});

afterAll(async () => {
  gateway.stop();
  await Promise.all([sshd.stop(), cli.remove()]);
});

async function milliseconds(host: string, script: string): Promise<number> {
  const began = performance.now();
  const outcome = await run("sh", ["-c", `ssh -F ${config} ${host} ${script}`], {
    env: cli.env,
    timeoutSeconds: 300,
  });
  if (outcome.code !== 0) throw new Error(outcome.stderr);
  return performance.now() - began;
}

/** The middle of several runs of each, taken in turn. */
async function inTurn(times: number, script: string): Promise<{ nc: number; drawbridge: number }> {
  const seen = { nc: [] as number[], drawbridge: [] as number[] };
  for (let turn = 0; turn < times; turn++) {
    for (const host of ["nc", "drawbridge"] as const) seen[host].push(await milliseconds(host, script));
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
  return { nc: middle(seen.nc), drawbridge: middle(seen.drawbridge) };
}

it("keeps up with nc in throughput, both directions", async () => {
  const rates: Record<string, number> = {};
  for (const [direction, script] of Object.entries({
    up: `'cat >/dev/null' <${cli.home}/big`,
    down: `'cat ${cli.home}/big' >/dev/null`,
  })) {
    const taken = await inTurn(3, script);
    const rate = (time: number) => Math.round(mebibytes / (time / 1000));
    console.log(`${direction}: nc ${rate(taken.nc)} MiB/s, drawbridge ${rate(taken.drawbridge)} MiB/s`);
    rates[direction] = taken.nc / taken.drawbridge;
  }
  expect(Math.min(...Object.values(rates))).toBeGreaterThan(0.5);
});

it("adds little more than Node's own start to a login", async () => {
  const taken = await inTurn(9, "true");
  const nodes: number[] = [];
  for (let turn = 0; turn < 9; turn++) {
    const began = performance.now();
    await run(process.execPath, ["-e", "0"], { env: { NODE_OPTIONS: "" } });
    nodes.push(performance.now() - began);
  }
  const start = nodes.sort((a, b) => a - b)[4] ?? 0;
  const [nc, drawbridge, node] = [taken.nc, taken.drawbridge, start].map(Math.round);
  console.log(`login: nc ${nc} ms, drawbridge ${drawbridge} ms; node alone ${node} ms`);
  expect(taken.drawbridge - taken.nc).toBeLessThan(3 * start + 100);
});

it("keeps a session in which nobody says anything for five minutes, without any keepalive", async () => {
  const script = `ssh -F ${config} -o ServerAliveInterval=0 drawbridge 'sleep 300; echo awake'`;
  const outcome = await run("sh", ["-c", script], { env: cli.env, timeoutSeconds: 420 });
  expect(outcome).toEqual({ code: 0, stdout: "awake\n", stderr: "" });
});
