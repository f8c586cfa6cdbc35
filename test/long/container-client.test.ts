/** What the ordinary OpenSSH client does all day, through the gateway, besides what conformance.test.ts asks of every way. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, run } from "../../scripts/lib/lab/lab.ts";
import { ContainerStack } from "../support/stacks/containers.ts";

let stack: ContainerStack;

beforeAll(async () => {
  stack = await ContainerStack.create("team-client", "gw-client");
  await stack.up({ box: {}, forge: {} });
  await stack.output("box", "true");
  await stack.output("forge", "true");
});
afterAll(() => stack.close());

const file = (name: string) => join(stack.laptop.folder, name);
const env = () => stack.laptop.env;
const remoteShell = () => `ssh -F ${stack.laptop.configFile}`;

/** A client in the background, until `use` is done. */
async function beside<T>(args: readonly string[], use: () => Promise<T>): Promise<T> {
  const child = spawn("ssh", ["-F", stack.laptop.configFile, ...args], {
    env: { ...process.env, ...env() },
    stdio: "ignore",
  });
  try {
    return await use();
  } finally {
    child.kill();
  }
}

/** The environment of a client whose agent holds the laptop's key. */
async function withAgent<T>(use: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const socket = file("agent");
  const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" });
  const own = { ...env(), SSH_AUTH_SOCK: socket };
  try {
    await eventually(
      "the agent",
      async () => (await run("ssh-add", [stack.laptop.keyFile], { env: own })).code === 0,
      10,
    );
    return await use(own);
  } finally {
    agent.kill();
  }
}

// A terminal of 30 x 100 for a program, which becomes one of 50 x 150 once the program has said "ready".
const resizing = `import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
def size(rows, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
size(30, 100)
said = b""
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:
        break
    if b"ready" in said + more and b"ready" not in said:
        size(50, 150)
    said += more
sys.stdout.buffer.write(said)
`;

describe("forwards", () => {
  it("lead from the laptop into the container (-L), also to a socket", async () => {
    await beside(["box", "python3 -m http.server 8765 --bind 127.0.0.1 --directory /etc/ssh"], () =>
      beside(
        ["-N", "-L", "18765:localhost:8765", "-L", `${file("socket")}:localhost:8765`, "box"],
        async () => {
          const get = (args: string[]) => run("curl", ["-s", "--max-time", "5", ...args]);
          await eventually(
            "the page",
            async () => (await get(["http://localhost:18765/ssh_config"])).stdout.includes("Host *"),
            30,
          );
          expect((await get(["--unix-socket", file("socket"), "http://x/ssh_config"])).stdout).toContain(
            "Host *",
          );
        },
      ),
    );
  });

  it("carry the agent, so that git and rsync over ssh work with no key in the container (-A)", async () => {
    // The two containers may not talk to each other; box reaches forge through a forward of the laptop.
    const known = `[localhost]:2200 ${stack.outputs.forge?.hostPublicKey}`;
    await stack.laptop.ssh(["box", "cat >forge"], { input: `${known}\n` });
    await stack.output("forge", "git init -q --bare repo.git");
    const script = [
      "set -e",
      "remote='ssh -p 2200 -o StrictHostKeyChecking=yes -o UserKnownHostsFile=~/forge'",
      "rm -rf work && git init -q work && cd work",
      "git config user.email a@example.com && git config user.name a",
      "echo hello >file && git add file && git commit -qm one",
      'export GIT_SSH_COMMAND="$remote"',
      "git push -q jovyan@localhost:repo.git HEAD:main && git ls-remote jovyan@localhost:repo.git | cut -f 2",
      'rsync -ai -e "$remote" file jovyan@localhost:copy/ && rsync -ai -e "$remote" file jovyan@localhost:copy/',
      "ls ~/.ssh 2>/dev/null || echo no keys here",
    ].join("\n");
    const outcome = await withAgent((agent) =>
      beside(["-N", "-L", "18767:localhost:22", "forge"], async () => {
        await eventually(
          "the forward",
          async () => (await run("nc", ["-z", "127.0.0.1", "18767"])).code === 0,
          30,
        );
        const args = ["-F", stack.laptop.configFile, "-A", "-R", "2200:localhost:18767", "box", script];
        return run("ssh", args, { env: agent });
      }),
    );
    expect(outcome).toMatchObject({
      code: 0,
      stdout: "refs/heads/main\ncreated directory copy\n<f+++++++++ file\nno keys here\n",
    });
  });
});

describe("a session", () => {
  it("keeps what is written to it and what goes wrong apart, whatever the bytes", async () => {
    await run("dd", ["if=/dev/urandom", `of=${file("blob")}`, "bs=1M", "count=8"]);
    const sum = (await run("sha256sum", [file("blob")])).stdout.split(" ")[0];
    const piped = await run(
      "sh",
      ["-c", `${remoteShell()} box 'sha256sum; echo wrong >&2' <"$1"`, "sh", file("blob")],
      { env: env() },
    );
    expect(piped).toMatchObject({ code: 0, stdout: `${sum}  -\n`, stderr: "wrong\n" });
  });

  it("follows the size of the terminal", async () => {
    const remote = 'stty size; trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.1; done';
    const ssh = ["ssh", "-F", stack.laptop.configFile, "-tt", "box", remote];
    const outcome = await run("python3", ["-c", resizing, ...ssh], { env: env(), timeoutSeconds: 30 });
    expect(outcome.stdout.match(/\d+ \d+/g)).toEqual(["30 100", "50 150"]);
  });
});
