/** Every client that wakes a sleeping container, and the ways in that have to be woken by another. */
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { eventually, kubectl, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { byFrp, frpSuffix, testFrpServer } from "../support/stacks/frp-stack.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const server = "frp-clients";
let idle: IdleStack;
let cli: InstalledCli;
let frp: string;

beforeAll(async () => {
  idle = await IdleStack.create("team-clients", {
    containers: () => {
      const made = testFrpServer(server);
      return { outputs: { frp: made.address }, of: () => ({ access: { frp: byFrp(made) } }) };
    },
  });
  await idle.up({ dev1: { idle: byHand, ...quickStop } });
  frp = String(idle.further.frp);
  await idle.login("dev1");
  cli = await installCli();
  const targets = { targets: Object.values(idle.outputs).map(({ sshTarget }) => sshTarget) };
  const wrote = await cli.run(["ssh-config", "--from", "-", "--identity", idle.laptop.keyFile], {
    input: JSON.stringify(targets),
  });
  expect(wrote).toMatchObject({ code: 0, stderr: "" });
});

afterAll(async () => {
  await idle.close();
  await kubectl(["delete", "namespace", server, "--ignore-not-found", "--wait=false"]);
  await cli?.remove();
});

/** ssh by a ProxyCommand of the test's own. */
const by = (command: string): Promise<Outcome> =>
  run(
    "ssh",
    [
      ...["-F", idle.laptop.plainConfigFile, "-o", `ProxyCommand=${command}`],
      ...["-l", "jovyan", idle.outputs.dev1?.hostName ?? "", "hostname"],
    ],
    { env: { ...cli.env, HOME: idle.laptop.folder }, timeoutSeconds: 120 },
  );
const woken = { code: 0, stdout: "dev1-0\n" };

describe("through the gateway", () => {
  it.each([
    ["nc", () => `nc -X connect -x ${idle.address}:80 %h %p`],
    ["proxytunnel", () => `proxytunnel -q -p ${idle.address}:80 -d %h:%p`],
    ["drawbridge proxy", () => `drawbridge proxy --via http://${idle.address} --host %h --port %p`],
  ])("%s wakes it", async (_name, command) => {
    await idle.putToSleep("dev1");
    expect(await by(command())).toMatchObject(woken);
  });

  it("VS Code's first connection wakes it: a shell fed by its script, and a SOCKS proxy on the same connection", async () => {
    expect((await idle.wake("dev1", "mkdir -p ~/.ide && echo served > ~/.ide/answer")).code).toBe(0);
    await idle.putToSleep("dev1");
    const child = spawn("ssh", ["-F", idle.laptop.configFile, "-T", "-D", "21190", "dev1", "bash"], {
      env: { ...process.env, ...idle.laptop.env },
      stdio: ["pipe", "pipe", "ignore"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stdin.write(
      "cd ~/.ide; nohup setsid python3 -m http.server 18099 --bind 127.0.0.1 >log 2>&1 </dev/null & sleep 1; echo up; while sleep 1; do :; done\n",
    );
    await eventually("the server", async () => said.includes("up\n"), 120);
    const through = () =>
      run("curl", [
        "-sS",
        "--max-time",
        "20",
        "-x",
        "socks5://127.0.0.1:21190",
        "http://127.0.0.1:18099/answer",
      ]);
    const answers = await Promise.all(Array.from({ length: 20 }, through));
    expect(answers.map(({ stdout }) => stdout)).toEqual(Array(20).fill("served\n"));
    child.kill();
  });

  it("drawbridge wake says that it is awake", async () => {
    await idle.putToSleep("dev1");
    expect(await cli.run(["wake", "dev1"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^dev1 is awake \(\d+\.\d s\)\n$/),
    });
    expect(await idle.replicas("dev1")).toBe(1);
  });
});

describe("through frp", () => {
  const name = () => `dev1.${idle.team}.${frpSuffix}`;
  const proxy = (...vias: string[]) =>
    `drawbridge proxy ${vias.map((via) => `--via ${via}`).join(" ")} --host %h --port %p`;
  const frps = () => `http://${frp}:1337/${name()}`;

  it("nobody is there while it sleeps; drawbridge wake opens the way", async () => {
    await idle.putToSleep("dev1");
    const asleep = await by(proxy(frps()));
    expect(asleep.code).toBe(255);
    expect(await idle.replicas("dev1")).toBe(0);
    expect((await cli.run(["wake", "dev1"])).code).toBe(0);
    await eventually("a login by frp", async () => (await by(proxy(frps()))).stdout === woken.stdout, 60);
  });

  it("drawbridge proxy with the gateway as its second way wakes it, and says by which way it goes", async () => {
    await idle.putToSleep("dev1");
    const outcome = await by(proxy(frps(), `http://${idle.address}`));
    expect(outcome).toMatchObject(woken);
    expect(outcome.stderr).toContain(`drawbridge: going by http://${idle.address} instead`);
  });
});
