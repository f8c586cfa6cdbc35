/**
 * Ways of access × what people do with SSH, each with the real programs. The table in docs/status.md must say
 * what was seen; `WAYS=write` writes it anew.
 */
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import net from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ProxyProgram } from "../../packages/drawbridge/src/host/client-texts/proxy-command.ts";
import { sshConfigText } from "../../packages/drawbridge/src/host/client-texts/ssh-config.ts";
import type { SshTarget } from "../../packages/drawbridge/src/host/client-texts/target.ts";
import { type InstalledCli, installCli, sshdBundleFolder } from "../../scripts/lib/clients/cli.ts";
import { testStack, valuesOf } from "../../scripts/lib/engine/engine.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { eventually, Laptop, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { between, replaceBetween } from "../../scripts/lib/pages/marked-text.ts";
import { byGateway, endStack, testContainer, testGateway, testNamespace } from "../support/lab/cluster.ts";
import { byFrp, testFrpServer } from "../support/stacks/frp-stack.ts";

const team = "team-ways";
const page = new URL("../../docs/status.md", import.meta.url);
const quietSeconds = 300;
const bigMebibytes = 256;

let cli: InstalledCli;
let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let config: string;
let env: Record<string, string>;

/** Each way: its name in the table, and what one types after `ssh`. */
const ways: [string, string][] = [
  ["gateway, `drawbridge proxy`", "dev1.gateway"],
  ["gateway, `nc -F`", "dev1-nc"],
  ["gateway, `proxytunnel`", "dev1-proxytunnel"],
  ["frp, `drawbridge proxy`", "dev1.frp"],
  ["sshpod, the pod's own sshd", "dev1.sshpod"],
  ["sshpod, sshd brought along", `jovyan@pod--dev1-0.namespace--${team}.sshpod`],
];

const ssh = (host: string, ...args: string[]): Promise<Outcome> => sshWith([], host, ...args);
const sshWith = (options: string[], host: string, ...args: string[]): Promise<Outcome> =>
  run("ssh", ["-F", config, ...options, host, ...args], { env, timeoutSeconds: 120 });

beforeAll(async () => {
  [cli, laptop] = await Promise.all([installCli(), Laptop.create()]);
  stack = await testStack(async () => {
    const gateway = testGateway("gw-ways");
    const frp = testFrpServer("frp-ways");
    const container = testContainer(
      "dev1",
      {
        namespace: team,
        authorizedKeys: [laptop.publicKey],
        access: { ...byGateway(gateway), frp: byFrp(frp) },
        resources: { requests: { cpu: "100m" }, memory: "512Mi" },
      },
      [testNamespace(team)],
    );
    return { sshTarget: container.sshTarget };
  });
  const { outputs } = await stack.stack.up();
  const target = outputs.sshTarget?.value as SshTarget;
  const file = join(cli.home, "outputs.json");
  await writeFile(file, JSON.stringify(valuesOf(outputs)));
  env = { ...cli.env, DRAWBRIDGE_SSHD_BUNDLE: await sshdBundleFolder() };
  const written = await cli.run(["ssh-config", "--from", file, "--identity", laptop.keyFile]);
  if (written.code !== 0) throw new Error(written.stderr);
  const folder = join(cli.home, ".ssh");
  const other = (program: ProxyProgram, alias: string) =>
    sshConfigText(
      { ...target, ways: target.ways.slice(0, 1) },
      {
        alias,
        program,
        identityFile: laptop.keyFile,
        knownHostsFile: join(folder, "drawbridge", "known_hosts"),
      },
    );
  config = join(cli.home, "config");
  await writeFile(
    config,
    [
      await readFile(join(folder, "config"), "utf8"),
      other("nc", "dev1-nc"),
      other("proxytunnel", "dev1-proxytunnel"),
      "Host *\n  BatchMode yes\n",
    ].join("\n"),
  );
  for (const [, host] of ways) {
    await eventually(`a login by ${host}`, async () => {
      const tried = await ssh(host, "true");
      if (tried.code !== 0) throw new Error(tried.stderr);
      return true;
    });
  }
});

afterAll(() => endStack(stack, [team], laptop, cli));

/** The first words of a TCP server. */
async function greeting(port: number): Promise<string> {
  for await (const data of net.connect(port, "127.0.0.1")) return data.toString();
  return "";
}

/** Holds a forwarding open while `use` runs. */
async function forwarding<T>(
  host: string,
  options: string[],
  port: number,
  use: () => Promise<T>,
): Promise<T> {
  const child = spawn("ssh", ["-F", config, "-N", "-o", "ExitOnForwardFailure=yes", ...options, host], {
    env: { ...process.env, ...env },
  });
  try {
    await eventually(
      "the forwarding",
      async () => (await run("nc", ["-z", "127.0.0.1", String(port)])).code === 0,
      20,
    );
    return await use();
  } finally {
    child.kill();
  }
}

type Check = (host: string) => Promise<boolean>;

const checks: Record<string, Check> = {
  login: async (host) => (await ssh(host, "id -un")).stdout === "jovyan\n",
  "exit code": async (host) => (await ssh(host, "exit 37")).code === 37,
  terminal: async (host) => /^\/dev\/pts\/\d+\r\n$/.test((await ssh(host, "-tt", "tty")).stdout),
  scp: async (host) => {
    const [there, back] = [join(cli.home, "there"), join(cli.home, "back")];
    const bytes = randomBytes(8 * 1024 * 1024);
    await writeFile(there, bytes);
    const up = await run("scp", ["-F", config, there, `${host}:blob`], { env, timeoutSeconds: 120 });
    const down = await run("scp", ["-F", config, `${host}:blob`, back], { env, timeoutSeconds: 120 });
    return up.code === 0 && down.code === 0 && (await readFile(back)).equals(bytes);
  },
  sftp: async (host) => {
    const batch = `put ${join(cli.home, "there")} blob2\nget blob2 ${join(cli.home, "back2")}\n`;
    const outcome = await run("sftp", ["-F", config, "-b", "-", host], {
      env,
      input: batch,
      timeoutSeconds: 120,
    });
    return (
      outcome.code === 0 && (await run("cmp", [join(cli.home, "there"), join(cli.home, "back2")])).code === 0
    );
  },
  rsync: async (host) => {
    const outcome = await run("rsync", ["-e", `ssh -F ${config}`, join(cli.home, "there"), `${host}:blob3`], {
      env,
      timeoutSeconds: 120,
    });
    return outcome.code === 0 && (await ssh(host, "cmp blob blob3")).code === 0;
  },
  "-L": async (host) => {
    const port = await freePort();
    return forwarding(host, ["-L", `127.0.0.1:${port}:127.0.0.1:22`], port, async () =>
      (await greeting(port)).startsWith("SSH-2.0-"),
    );
  },
  "-R": async (host) => {
    const server = net.createServer((socket) => socket.end("from the laptop\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as net.AddressInfo;
      // The ways lead to one pod, where the session of the way before may still hold its port for a moment.
      const there = 18_022 + ways.findIndex(([, one]) => one === host);
      const outcome = await sshWith(
        ["-R", `${there}:127.0.0.1:${port}`],
        host,
        `bash -c 'cat </dev/tcp/127.0.0.1/${there}'`,
      );
      return outcome.stdout === "from the laptop\n";
    } finally {
      server.close();
    }
  },
  "-D": async (host) => {
    const port = await freePort();
    const ask = () =>
      run("sh", ["-c", `nc -X 5 -x 127.0.0.1:${port} 127.0.0.1 22 </dev/null & sleep 2; kill $!`]);
    return forwarding(host, ["-D", `127.0.0.1:${port}`], port, async () =>
      (await ask()).stdout.startsWith("SSH-2.0-"),
    );
  },
  "-A": async (host) =>
    (await run("ssh-agent", ["ssh", "-A", "-F", config, host, 'test -S "$SSH_AUTH_SOCK"'], { env })).code ===
    0,
  "multiplexing, 100 channels": async (host) => {
    const socket = join(cli.home, "mux");
    const master = spawn("ssh", ["-F", config, "-M", "-S", socket, "-N", host], {
      env: { ...process.env, ...env },
    });
    try {
      await eventually(
        "the shared connection",
        async () => (await run("ssh", ["-S", socket, "-O", "check", host])).code === 0,
        30,
      );
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, index) => sshWith(["-S", socket], host, `echo ${index}; sleep 8`)),
      );
      return outcomes.every(({ stdout }, index) => stdout === `${index}\n`);
    } finally {
      master.kill();
    }
  },
  [`${bigMebibytes} MiB, unchanged`]: async (host) => {
    const { stdout } = await run(
      "sh",
      ["-c", `sha256sum < '${bigFile()}'; ssh -F '${config}' '${host}' sha256sum < '${bigFile()}'`],
      { env, timeoutSeconds: 300 },
    );
    const [here, there] = stdout.trim().split("\n");
    return here !== undefined && here === there;
  },
};

async function passes(check: Check, host: string): Promise<boolean> {
  try {
    return await check(host);
  } catch (error) {
    console.log(`${host}: ${(error as Error).message}`);
    return false;
  }
}

const bigFile = () => join(cli.home, "big");
/** Sessions in which nobody says anything; ssh's own keepalive is off. */
function startQuietSessions() {
  return ways.map(([, host]) =>
    run("ssh", ["-F", config, "-o", "ServerAliveInterval=0", host, `sleep ${quietSeconds}; echo awake`], {
      env,
      timeoutSeconds: quietSeconds + 60,
    }),
  );
}

it("does what the page says, by every way", async () => {
  execFileSync("dd", ["if=/dev/urandom", `of=${bigFile()}`, "bs=1M", `count=${bigMebibytes}`], {
    stdio: "ignore",
  });
  const quiet = startQuietSessions();
  const rows: string[] = [];
  for (const [title, check] of Object.entries(checks)) {
    const cells: string[] = [];
    for (const [, host] of ways) cells.push((await passes(check, host)) ? "yes" : "NO");
    rows.push(`| ${title} | ${cells.join(" | ")} |`);
    console.log(rows.at(-1));
  }
  const awake = (await Promise.all(quiet)).map(({ code, stdout, stderr }, index) => {
    if (stdout === "awake\n") return "yes";
    console.log(`${ways[index]?.[1]}: the quiet session ended with ${code}: ${stderr.trim()}`);
    return "NO";
  });
  rows.push(`| ${quietSeconds / 60} quiet minutes | ${awake.join(" | ")} |`);
  const head = `| | ${ways.map(([title]) => title).join(" | ")} |\n|---|${ways.map(() => "---|").join("")}`;
  const table = `${head}\n${rows.join("\n")}`;
  const text = await readFile(page, "utf8");
  if (process.env.WAYS === "write") await writeFile(page, replaceBetween(text, "table", table));
  else expect(between(text, "table")).toBe(table);
  expect(table.includes("NO")).toBe(false);
});
