/** `drawbridge listen` with the clients that people have: each knows an address, a port, a key and known_hosts alone. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SshTarget } from "../../packages/drawbridge/src/host/client-texts/target.ts";
import { silentProgress } from "../../packages/lab/src/index.ts";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { sshClients } from "../../scripts/lib/clients/ssh-clients.ts";
import { expectSuccess, run } from "../../scripts/lib/lab/lab.ts";
import { type Listening, startListen } from "../support/clients/listening.ts";
import { FrpStack } from "../support/stacks/frp-stack.ts";

/** Each is a container of that name too, which the laptop reaches by this way alone. */
const ways = ["gateway", "frp", "sshpod"] as const;
let stack: FrpStack;
let cli: InstalledCli;
let listening: Listening;
/** The words that start each. */
let programs: Record<string, string[]>;
let folder: string;
let wrongKnownHosts: string;
/** Where OpenSSH forwards back to; the others answer themselves. */
let laptopServer: net.Server;

beforeAll(async () => {
  [stack, cli, folder] = await Promise.all([
    FrpStack.create("team-listen", "frp-listen"),
    installCli(),
    mkdtemp(join(tmpdir(), "drawbridge-listen-")),
  ]);
  const sshpod = { users: ["somebody"] };
  await stack.up({
    containers: { gateway: {}, frp: {}, sshpod: { access: { sshpod } } },
    gateway: "gw-listen",
  });
  const targets = ways.map((name) => {
    const target = stack.outputs[name]?.sshTarget as SshTarget;
    return { ...target, ways: target.ways.filter(({ way }) => way === name) };
  });
  listening = await startListen(cli, targets);
  laptopServer = net.createServer((socket) => socket.end("back"));
  await new Promise<void>((resolve) => laptopServer.listen(0, "127.0.0.1", resolve));
  programs = { OpenSSH: await openSsh(), ...(await sshClients(silentProgress)) };
  await expectSuccess(run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, "other")]));
  const [type, key] = (await readFile(join(folder, "other.pub"), "utf8")).split(" ");
  wrongKnownHosts = join(folder, "wrong_known_hosts");
  await writeFile(
    wrongKnownHosts,
    ways.map((way) => `[127.0.0.1]:${listening.portOf(way)} ${type} ${key}\n`).join(""),
  );
});

afterAll(async () => {
  listening?.stop();
  laptopServer?.close();
  await Promise.all([stack.close(), cli.remove(), rm(folder, { recursive: true })]);
});

/** OpenSSH as a program like the others. */
async function openSsh(): Promise<string[]> {
  const script = join(folder, "openssh");
  const { port } = laptopServer.address() as net.AddressInfo;
  const text = `
    port=$1 known=$2 key=$3 there=$4
    of() { command=$1; shift; "$command" -F none -o BatchMode=yes -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$known" -i "$key" "$@"; }
    set -e
    of ssh -p "$port" jovyan@127.0.0.1 echo run
    echo 'echo shell-$((1+1)); exit' | of ssh -tt -p "$port" jovyan@127.0.0.1 | grep -o shell-2
    echo copied >"$key.copied"
    printf 'put %s listened\\nget listened %s\\n' "$key.copied" "$key.back" | of sftp -q -b - -P "$port" jovyan@127.0.0.1 >&2
    cat "$key.back"
    of ssh -p "$port" -W 127.0.0.1:22 jovyan@127.0.0.1 </dev/null | head -c 4 && echo
    of ssh -p "$port" -R "$there:127.0.0.1:${port}" jovyan@127.0.0.1 "bash -c 'cat </dev/tcp/127.0.0.1/$there'"
  `;
  await writeFile(script, text);
  return ["sh", script];
}

describe.each(["OpenSSH", "Paramiko", "asyncssh", "libssh", "ssh2", "x/crypto/ssh", "JSch"])("%s", (name) => {
  const client = (way: string, known: string) => {
    const [command = "", ...args] = programs[name] ?? [];
    // A session that has ended may hold its port for a moment.
    const there = String(18_022 + Object.keys(programs).indexOf(name));
    const all = [...args, listening.portOf(way), known, stack.laptop.keyFile, there];
    return run(command, all, { env: { NODE_OPTIONS: "" }, timeoutSeconds: 120 });
  };

  it.each(ways)("by %s: a command, a shell, sftp, a forward there and one back", async (way) => {
    const { stdout } = await expectSuccess(client(way, join(cli.home, ".ssh", "known_hosts")));
    expect(stdout).toMatch(/^run\nshell-2\ncopied\nSSH-\nback\n?$/);
  });

  it.each(ways)("by %s: refuses another host key", async (way) => {
    const { code, stdout } = await client(way, wrongKnownHosts);
    expect([code === 0, stdout]).toEqual([false, ""]);
  });
});
