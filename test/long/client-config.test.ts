/** The client's files on a laptop: written, written again, taken away. */
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sshTargetKind } from "../../packages/drawbridge/src/host/client-texts/target.ts";
import { type InstalledCli, installCli } from "../../scripts/lib/clients/cli.ts";
import { run } from "../../scripts/lib/lab/lab.ts";
import {
  type LoopbackGateway,
  type LoopbackSshd,
  makeCertificates,
  startGateway,
  startSshd,
} from "../support/clients/loopback-ssh.ts";

const hostName = "dev1.team-a.dev.example.com";
let cli: InstalledCli;
let sshd: LoopbackSshd;
let gateway: LoopbackGateway;

beforeAll(async () => {
  [cli, sshd] = await Promise.all([installCli(), startSshd()]);
  gateway = await startGateway({ [`${hostName}:22`]: { port: sshd.port } });
});

afterAll(async () => {
  gateway.stop();
  await Promise.all([sshd.stop(), cli.remove()]);
});

const target = (changes: object = {}) => ({
  kind: sshTargetKind,
  name: "dev1",
  namespace: "team-a",
  user: "root",
  hostName,
  port: 22,
  hostKeys: [sshd.hostPublicKey],
  ways: [{ way: "gateway", address: "127.0.0.1", port: gateway.port }],
  home: "/root",
  ...changes,
});

describe("drawbridge ssh-config", () => {
  const ssh = () => join(cli.home, ".ssh");
  const write = async (targets: object[], ...flags: string[]) => {
    const outputs = { dev: { nested: targets.map((each) => JSON.stringify(each)) }, other: "text" };
    return cli.run(["ssh-config", "--from", "-", "--identity", sshd.userKey, ...flags], {
      input: JSON.stringify(outputs),
    });
  };
  const everything = async () => {
    const names = (await readdir(ssh(), { recursive: true })).sort();
    const read = async (name: string) => [
      name,
      await readFile(join(ssh(), name), "utf8").catch(() => "folder"),
    ];
    return Object.fromEntries(await Promise.all(names.map(read))) as Record<string, string>;
  };

  beforeEach(async () => {
    await run("rm", ["-rf", ssh()]);
    await mkdir(ssh(), { mode: 0o700 });
  });

  it("makes ssh work by the alias, is the same twice, and leaves no trace when removed", async () => {
    const before = "# mine\r\nHost *\n  ForwardX11 no";
    await writeFile(join(ssh(), "config"), before, { mode: 0o644 });
    const wrote = `wrote ${join(ssh(), "drawbridge", "config")}, which ${join(ssh(), "config")} includes\n`;
    expect(await write([target()])).toEqual({ code: 0, stdout: `ssh dev1\n${wrote}`, stderr: "" });
    const first = await everything();
    expect(Object.keys(first)).toEqual([
      "config",
      "drawbridge",
      "drawbridge/config",
      "drawbridge/config-before",
      "drawbridge/known_hosts",
      "drawbridge/pods",
      "drawbridge/start",
      "drawbridge/targets.json",
    ]);
    expect(first["drawbridge/config-before"]).toBe(before);
    expect((await lstat(join(ssh(), "config"))).mode & 0o777).toBe(0o644);
    expect(await run("ssh", ["-F", join(ssh(), "config"), "dev1", "echo in"], { env: cli.env })).toEqual({
      code: 0,
      stdout: "in\n",
      stderr: "",
    });
    await write([target()]);
    expect(await everything()).toEqual(first);
    expect((await cli.run(["ssh-config", "--remove"])).code).toBe(0);
    expect(await everything()).toEqual({ config: before });
  });

  it("keeps the other stacks' hosts, each with its own options, until they are taken away", async () => {
    const b = { namespace: "team-b", hostName: "dev1.team-b.dev.example.com" };
    await write([target()]);
    const { stdout } = await write(
      [target(b), target({ ...b, name: "x", hostName: "x.team-b.dev.example.com" })],
      "--forward-agent",
    );
    expect(stdout).toMatch(/^ssh dev1-team-b\nssh x\nwrote .*; 1 of other stacks stay in it\n$/);
    expect((await cli.run(["list", "--names"])).stdout).toBe("dev1\ndev1-team-b\nx\n");
    const forwarded = async (alias: string) =>
      /^forwardagent (\w+)$/m.exec(
        (await run("ssh", ["-G", "-F", join(ssh(), "config"), alias], { env: cli.env })).stdout,
      )?.[1];
    expect([await forwarded("dev1"), await forwarded("dev1-team-b")]).toEqual(["no", "yes"]);
    const login = await run("ssh", ["-F", join(ssh(), "config"), "dev1", "echo in"], { env: cli.env });
    expect(login).toEqual({ code: 0, stdout: "in\n", stderr: "" });
    await write([target()], "--prefix", "a-");
    expect((await cli.run(["list", "--names"])).stdout).toBe("a-dev1\ndev1-team-b\nx\n");
  });

  it("works for pods over the Kubernetes API alone", async () => {
    const { code, stdout } = await cli.run(["ssh-config", "--sshpod"]);
    expect([code, stdout.split("\n")[0]]).toEqual([0, "ssh USER@pod--NAME.namespace--NAMESPACE.sshpod"]);
    const read = await run("ssh", ["-G", "-F", join(ssh(), "config"), "pod--x.sshpod"], { env: cli.env });
    expect(read.stdout).toContain(
      `proxycommand /bin/sh ${join(ssh(), "drawbridge", "start")} proxy --host '%h' --user '%r' --port %p\n`,
    );
  });

  it("looks at every container, and tells it in JSON", async () => {
    const unknown = { name: "dev2", hostName: "dev2.team-a.dev.example.com" };
    await write([target(), target(unknown)]);
    const all = await cli.run(["doctor"]);
    expect(all.code).toBe(1);
    expect(all.stdout).toContain("dev1: 1 of 1 ways lead to a login\n");
    expect(all.stdout.trim().split("\n").at(-1)).toBe("1 of 2 containers can be logged in to");
    const walked = JSON.parse((await cli.run(["doctor", "--json"])).stdout);
    expect(walked.map(({ name, open }: { name: string; open: boolean }) => [name, open])).toEqual([
      ["dev1", true],
      ["dev2", false],
    ]);
    expect(walked[1].findings.at(-1)).toMatchObject({ step: "CONNECT", ok: false, status: 404 });
    expect((await cli.run(["list"])).stdout).toContain("gateway says 404\n");
  });

  it("says what it would open", async () => {
    await write([target()]);
    const opened = await cli.run(["open", "dev1", "--jetbrains", "--print"]);
    expect(opened.stdout).toMatch(
      /^(xdg-open|open) jetbrains-gateway:\/\/connect#type=ssh&host=dev1&port=22&user=root&/,
    );
    expect(await cli.run(["open", "dev1", "--zed", "--cursor"])).toMatchObject({ code: 2 });
  });

  it("reads an address over https only", async () => {
    const refused = await cli.run(["ssh-config", "--from", "http://127.0.0.1:1/outputs.json"]);
    expect(refused).toMatchObject({
      code: 2,
      stderr:
        "drawbridge: http://127.0.0.1:1/outputs.json is not fetched: over http anybody on the way could change it; use https\n",
    });
    const certificates = await makeCertificates(cli.home);
    const server = https.createServer(certificates.server, (_request, response) => {
      response.end(JSON.stringify({ dev: target() }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}/outputs.json`;
    const env = { NODE_EXTRA_CA_CERTS: certificates.ca };
    expect((await cli.run(["ssh-config", "--from", url], { env })).stdout).toMatch(/^ssh dev1\nwrote /);
    const foreign = await cli.run(["ssh-config", "--from", url]);
    server.close();
    expect(foreign.code).toBe(1);
    expect(foreign.stderr).toMatch(
      /^drawbridge: https:\S+ cannot be read: .*certificate.*; check the address and the network\n$/,
    );
    const away = await cli.run(["ssh-config", "--from", url], { env });
    expect(away.stderr).toMatch(
      /^drawbridge: https:\S+ cannot be read: .*ECONNREFUSED.*; check the address and the network\n$/,
    );
  });

  it("lists the containers with their state, their names and their links", async () => {
    const closed = { name: "dev2", ways: [{ way: "gateway", address: "127.0.0.1", port: 1 }] };
    await write([target(), target(closed)]);
    expect((await cli.run(["list"])).stdout).toBe(
      `NAME  USER  HOST                         POD  WAYS IN\ndev1  root  ${hostName}  -    gateway answers\ndev2  root  ${hostName}  -    gateway: no answer (TCP)\n`,
    );
    expect((await cli.run(["list", "--names"])).stdout).toBe("dev1\ndev2\n");
    expect((await cli.run(["list", "--links"])).stdout).toContain(
      "vscode://vscode-remote/ssh-remote+dev1/root\n",
    );
  });

  it("falls back to the next way, and says so", async () => {
    const [open] = target().ways;
    await write([
      target({ ways: [{ way: "frp", address: "127.0.0.1", port: 1, hostName: "x.frp.example.com" }, open] }),
    ]);
    const outcome = await run("ssh", ["-F", join(ssh(), "config"), "dev1", "echo in"], { env: cli.env });
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toBe("in\n");
    expect(outcome.stderr).toBe(
      `drawbridge: http://127.0.0.1:1/x.frp.example.com: 127.0.0.1:1 refuses connections; check the port, and whether the gateway runs\ndrawbridge: going by http://127.0.0.1:${gateway.port} instead\n`,
    );
  });

  it("writes through a link into somebody's dotfiles", async () => {
    const dotfiles = join(cli.home, "dotfiles");
    await writeFile(dotfiles, "Host *\n");
    await symlink(dotfiles, join(ssh(), "config"));
    expect((await write([target()])).code).toBe(0);
    expect((await lstat(join(ssh(), "config"))).isSymbolicLink()).toBe(true);
    expect(await readFile(dotfiles, "utf8")).toContain("Include");
    await cli.run(["ssh-config", "--remove"]);
    expect(await readFile(dotfiles, "utf8")).toBe("Host *\n");
  });

  it("removes a config that it has made itself", async () => {
    await write([target()]);
    await cli.run(["ssh-config", "--remove"]);
    expect(await everything()).toEqual({});
  });

  it.each<[string, () => Promise<{ code: number; stderr: string }>, RegExp]>([
    [
      "an alias of the user's own",
      async () => {
        await writeFile(join(ssh(), "config"), "\nHost dev1\n  HostName x\n");
        return write([target()]);
      },
      /^drawbridge: dev1 is left out: HostName in \S+ \(line 3\) would lead elsewhere or undo its pinned key; take that out there, or set another name for ours with --prefix\n {2}wrote \S+, which \S+ includes\n$/,
    ],
    [
      "outputs without containers",
      () => write([]),
      /^drawbridge: the outputs name no container; export the sshTarget of each DevContainer from your program and run pulumi up \(one that failed gives out nothing; drawbridge doctor says what the cluster has\)\. For pods of any kind, over the Kubernetes API alone: drawbridge ssh-config --sshpod\n$/,
    ],
    [
      "a name that would begin a line of its own",
      () => write([target({ name: "x\nProxyCommand evil" })]),
      /^drawbridge: the container "x\\nProxyCommand evil" in the outputs cannot be used: name: "x\\nProxyCommand evil" is not a DNS label/,
    ],
    [
      "what is not JSON",
      () => cli.run(["ssh-config", "--from", "-"], { input: "hello" }),
      /^drawbridge: - is not JSON; make it with: pulumi stack output --json > outputs.json\n$/,
    ],
    [
      "a missing file",
      () => cli.run(["ssh-config", "--from", "/nowhere/x.json"]),
      /^drawbridge: there is no file \S+; pass --from the file that your team sent you, or an https address\n$/,
    ],
    [
      "an unknown option",
      () => cli.run(["ssh-config", "--frmo", "x"]),
      /^error: unknown option '--frmo'\n\(Did you mean --from\?\)/,
    ],
    [
      "a home that cannot be written",
      async () => {
        await run("rm", ["-rf", ssh()]);
        await writeFile(ssh(), "a file in the folder's place");
        return write([target()]);
      },
      /^drawbridge: \S+ cannot be written: EEXIST/,
    ],
  ])("explains %s", async (_title, attempt, sentence) => {
    const outcome = await attempt();
    expect(outcome.stderr).toMatch(sentence);
    expect([1, 2]).toContain(outcome.code);
  });

  it("has help for every command and completion for three shells", async () => {
    for (const command of ["ssh-config", "list", "connect", "doctor", "proxy", "completion"]) {
      const { code, stdout } = await cli.run([command, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: drawbridge /);
    }
    const syntax = await run("bash", ["-n"], { input: (await cli.run(["completion", "bash"])).stdout });
    expect(syntax).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await cli.run(["completion", "tcsh"])).code).toBe(2);
  });

  it("writes no colour into a pipe, even where colour is forced, and exit codes that scripts can use", async () => {
    await write([target({ ways: [{ way: "gateway", address: "127.0.0.1", port: 1 }] })]);
    const attempts: [string[], number][] = [
      [["--help"], 0],
      [["list"], 0],
      [["doctor", "dev1"], 1],
      [["doctor", "nobody"], 1],
      [["doctor", "dev1", "--way", "sea"], 2],
      [["frobnicate"], 2],
      [["connect"], 2],
      [["proxy", "--host", "x"], 2],
      [["proxy", "--host", "x", "--via", "http://127.0.0.1:1"], 1],
      [["connect", "dev1", "--", "true"], 255],
    ];
    for (const [words, code] of attempts) {
      const outcome = await cli.run(words, { env: { FORCE_COLOR: "1" } });
      expect([words, outcome.code]).toEqual([words, code]);
      expect(outcome.stdout + outcome.stderr).not.toContain("\u001b");
    }
  });
});
