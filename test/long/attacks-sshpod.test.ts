/** What others in a pod, a hostile remote and a hostile argument try on who comes the sshpod way. Each has its twin. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import net from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type InstalledCli, installCli, sshdBundleFolder } from "../../scripts/lib/clients/cli.ts";
import { apply, kubectl, type Outcome, run } from "../../scripts/lib/lab/lab.ts";
import { crowdedPods, eve } from "./crowded-pods.fixture.ts";

const namespace = `attacks-sshpod-${process.pid}`;
const programs = ["busybox", "sshd", "sshd-session", "sshd-auth"];
let cli: InstalledCli;
let env: Record<string, string>;
let configFile: string;
let bundle: string;

const host = (target: string) => `${target}.namespace--${namespace}.sshpod`;
const log = () => join(cli.home, "log");
const ssh = (user: string, target: string, ...command: string[]): Promise<Outcome> =>
  run("ssh", ["-F", configFile, `${user}@${host(target)}`, ...command], { env, timeoutSeconds: 90 });
const admin = (pod = "crowd") => ssh("root", `container--admin.pod--${pod}`, "echo in as $(id -u)");
const entered = { code: 0, stdout: "in as 0\n", stderr: "" };

/** Runs a script as a user of a pod, as kubectl exec would. */
const as = (container: string, script: string, pod = "crowd") =>
  kubectl(["-n", namespace, "exec", pod, "-c", container, "--", "/bin/sh", "-c", script]);
/** What the last connection said about itself, the newest line last. */
const told = async () => (await readFile(log(), "utf8").catch(() => "")).trim().split("\n");
const refusal = async () => (await told()).at(-1)?.replace(/^drawbridge: /, "");
const copies = async () => (await told()).filter((line) => line.includes("sshd copied")).length;

/** Shell that puts a program at a path, which writes down that it was run, by whom, and what it was given. */
const trap = (path: string) =>
  `printf '#!/bin/sh\\n{ echo "$0 $* as $(/bin/id -u)"; /bin/cat; } >>/loot/loot\\n' >${path} && chmod 777 ${path}`;
/** The same for a whole bundle below a folder. */
const trapBundle = (folder: string) =>
  [
    `mkdir -p ${folder}/bundle-${bundle}/bin ${folder}/bundle-${bundle}/etc`,
    ...programs.map((name) => trap(`${folder}/bundle-${bundle}/bin/${name}`)),
  ].join("; ");
/** Nothing that was put there was run, so it was given nothing either. */
const loot = (pod = "crowd") => as("eve", "cat /loot/loot 2>/dev/null; true", pod);

/** Ends every sshd of the laptop's in a pod and takes all of /tmp away. */
const clean = (pod: string) =>
  as(
    "admin",
    `for p in /proc/[0-9]*; do case $(cat $p/comm 2>/dev/null) in sshd*) kill -9 \${p#/proc/};; esac; done
     chmod 1777 /tmp; chown 0 /tmp; rm -rf /tmp/* /loot/*; true`,
    pod,
  );

beforeAll(async () => {
  cli = await installCli();
  const folder = await sshdBundleFolder();
  const hashes = JSON.parse(await readFile(join(folder, "hashes.json"), "utf8")) as Record<string, string>;
  bundle = (hashes[process.arch === "arm64" ? "arm64" : "amd64"] ?? "").slice(0, 16);
  env = { ...cli.env, DRAWBRIDGE_SSHD_BUNDLE: folder };
  configFile = await writeConfig("state");
  const items = crowdedPods(namespace);
  await apply(...items);
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "--timeout=120s", "pod", "--all"]);
});

/** The config of a laptop that keeps its keys in `state`. */
async function writeConfig(state: string): Promise<string> {
  const folder = join(cli.home, state, "sshpod");
  const file = join(cli.home, `config-${state}`);
  await writeFile(
    file,
    `Host *.sshpod
  ProxyCommand env DRAWBRIDGE_HOME=${join(cli.home, state)} drawbridge proxy --host %h --user %r --port %p --verbose 2>>${log()}
  IdentityFile ${folder}/id_ed25519
  IdentitiesOnly yes
  UserKnownHostsFile ${folder}/known_hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
`,
  );
  return file;
}

afterAll(async () => {
  await kubectl(["delete", "namespace", namespace, "--wait=false"]);
  await cli.remove();
});

describe("another user of the container was there first", () => {
  beforeEach(async () => {
    await clean("crowd");
    await writeFile(log(), "");
  });

  const first: [string, () => string][] = [
    ["with a whole bundle under its name", () => trapBundle("/tmp/sshpod-0")],
    [
      "with one that everybody may write to",
      () => `${trapBundle("/tmp/sshpod-0")}; chmod -R 777 /tmp/sshpod-0`,
    ],
    [
      "with a link to a folder of their own",
      () => `${trapBundle("/tmp/mine")}; ln -s /tmp/mine /tmp/sshpod-0`,
    ],
    ["with a link to a folder of the victim's", () => "ln -s /bin /tmp/sshpod-0"],
    ["with a link that leads nowhere yet", () => "ln -s /tmp/made-for-me /tmp/sshpod-0"],
    ["with a file", () => "echo >/tmp/sshpod-0"],
    ["with a pipe that nobody reads", () => "mkfifo /tmp/sshpod-0"],
  ];

  it.each(first)("%s: nothing of it is run, and the owner still gets in", async (_title, attack) => {
    await as("eve", attack());
    expect(await admin()).toEqual(entered);
    expect(await loot()).toBe("");
    // The second name, and nothing through a link.
    expect(
      await as(
        "admin",
        "cd /tmp; ls -d sshpod-0-* | cut -c1-9; ls /bin | grep -c bundle; ls -d /tmp/made-for-me 2>&1 | head -c 3",
      ),
    ).toBe("sshpod-0-\n0\nls:");
    expect(await copies()).toBe(1);
    // Its own folder it does take again.
    expect(await admin()).toEqual(entered);
    expect(await copies()).toBe(1);
  });

  it("with a folder of root's that everybody could fill, moved to our name", async () => {
    await as(
      "admin",
      "mkdir -m 777 /loot/open /loot/open/cache; mkdir -m 777 /tmp/open; mkdir -m 777 /tmp/open/cache",
    );
    await as("eve", `${trapBundle("/tmp/open/cache")}; mv /tmp/open/cache /tmp/sshpod-0`);
    expect((await as("admin", "ls -ldn /tmp/sshpod-0")).split(/\s+/).slice(0, 3)).toEqual([
      "drwxrwxrwx",
      expect.any(String),
      "0",
    ]);
    expect(await admin()).toEqual(entered);
    expect(await loot()).toBe("");
  });

  it("with a session that leads to their own port", async () => {
    expect(await admin()).toEqual(entered);
    const session = (await as("admin", "cd /tmp/sshpod-0; ls | grep -v bundle")).trim();
    await clean("crowd");
    await as(
      "eve",
      `mkdir -p /tmp/sshpod-0/${session} && { (echo x | nc -l -p 20022 >/loot/loot 2>/dev/null) >/dev/null 2>&1 </dev/null & echo "20022 $!" >/tmp/sshpod-0/${session}/live; }; sleep 1`,
    );
    expect(await admin()).toEqual(entered);
    expect(await loot()).toBe("");
  });

  it("for the second name of a laptop they know too: refused, and nothing is run", async () => {
    await as("eve", trapBundle("/tmp/sshpod-0"));
    expect(await admin()).toEqual(entered);
    const second = (await as("admin", "ls -d /tmp/sshpod-0-*")).trim();
    await clean("crowd");
    await as("eve", `${trapBundle("/tmp/sshpod-0")}; ${trapBundle(second)}`);
    expect((await admin()).code).toBe(255);
    expect(await refusal()).toBe(
      `container admin of pod ${namespace}/crowd cannot be entered: /tmp/sshpod-0 belongs to another user, or another user may write to it`,
    );
    expect(await loot()).toBe("");
  });

  it("and goes on trying all the time", async () => {
    const mischief = `end=$(($(date +%s)+40)); while [ $(date +%s) -lt $end ]; do
      ln -s /tmp/mine /tmp/sshpod-0; rm -f /tmp/sshpod-0; mkdir /tmp/sshpod-0; rm -rf /tmp/sshpod-0; mv /tmp/sshpod-0-* /tmp/taken
      cp -r /tmp/mine/. /tmp/sshpod-0/; ln -s /tmp/mine/bundle-${bundle} /tmp/sshpod-0/bundle-${bundle}
    done 2>/dev/null; true`;
    await as("eve", trapBundle("/tmp/mine"));
    const running = as("eve", mischief);
    for (let login = 0; login < 6; login++) expect(await admin()).toEqual(entered);
    await running;
    expect(await loot()).toBe("");
  });
});

describe("a copy that is not as it was made", () => {
  const own = () => `/tmp/sshpod-0/bundle-${bundle}`;
  const stop = `for p in /proc/[0-9]*; do case $(cat $p/comm 2>/dev/null) in sshd*) kill -9 \${p#/proc/};; esac; done; true`;

  beforeEach(async () => {
    await clean("crowd");
    await writeFile(log(), "");
    expect(await admin()).toEqual(entered);
    await as("admin", stop);
  });

  it("is used again where nobody touched it", async () => {
    expect(await admin()).toEqual(entered);
    expect(await copies()).toBe(1);
  });

  const overwrite = (file: string) => `printf '#!/bin/sh\\necho ran >>/loot/loot\\n' >${file}`;

  const loosened: [string, () => string, () => string][] = [
    [
      "the folder",
      () => "chmod 777 /tmp/sshpod-0",
      () => `mv ${own()} /tmp/sshpod-0/old; ${trapBundle("/tmp/sshpod-0")}`,
    ],
    [
      "the bundle",
      () => `chmod 777 ${own()}`,
      () => `mv ${own()}/bin ${own()}/old; ${trapBundle("/tmp/sshpod-0")}`,
    ],
    [
      "the folder of programs",
      () => `chmod 777 ${own()}/bin`,
      () =>
        programs
          .map((name) => `mv -f ${own()}/bin/${name} ${own()}/bin/old; ${trap(`${own()}/bin/${name}`)}`)
          .join("; "),
    ],
    [
      "a program's mode",
      () => `chmod 777 ${own()}/bin/*`,
      () => programs.map((name) => overwrite(`${own()}/bin/${name}`)).join("; "),
    ],
    [
      "a program's owner",
      () => `chown ${eve} ${own()}/bin/*`,
      () => programs.map((name) => overwrite(`${own()}/bin/${name}`)).join("; "),
    ],
  ];

  it.each(loosened)("is not run where somebody could change %s", async (_title, loosen, change) => {
    await as("admin", loosen());
    await as("eve", change());
    expect(await admin()).toEqual(entered);
    expect(await loot()).toBe("");
    expect(await copies()).toBe(2);
  });

  it.each(programs)(
    "is not run where the content of %s is another, with owner and mode as before",
    async (name) => {
      await as("admin", `chmod 666 ${own()}/bin/${name}`);
      await as("eve", overwrite(`${own()}/bin/${name}`));
      await as("admin", `chmod 755 ${own()}/bin/${name}`);
      expect(await admin()).toEqual(entered);
      expect(await loot()).toBe("");
      expect(await told()).toContainEqual(
        expect.stringMatching(/the copy of sshd was changed; it is put aside, and sshd is copied again$/),
      );
      expect(await copies()).toBe(2);
    },
  );

  it("is not taken for running because another's program has its number", async () => {
    const session = (await as("admin", "cd /tmp/sshpod-0; ls | grep -v bundle")).trim();
    await as(
      "eve",
      "sh -c 'echo sshd >/proc/$$/comm; sleep 100 & wait' >/dev/null 2>&1 </dev/null & sleep 1",
    );
    await as(
      "admin",
      `for p in /proc/[0-9]*; do [ "$(cat $p/comm 2>/dev/null)" = sshd ] && echo "20023 \${p#/proc/}" >/tmp/sshpod-0/${session}/live; done; grep 20023 /tmp/sshpod-0/${session}/live`,
    );
    expect(await admin()).toEqual(entered);
    expect((await told()).at(-1)).toMatch(/sshd started on loopback port (?!20023)\d+$/);
  });
});

describe("a /tmp in which others can rename what is ours", () => {
  beforeEach(() => writeFile(log(), ""));

  it("is refused without its sticky bit, and taken with it", async () => {
    await as("eve", trapBundle("/tmp/sshpod-0"), "loose");
    expect((await admin("loose")).code).toBe(255);
    expect(await refusal()).toBe(
      `container admin of pod ${namespace}/loose cannot be entered: other users can replace what is put into its /tmp (owner 0, drwxrwxrwx); make it root's, with mode 1777`,
    );
    expect(await as("admin", "ls -d /tmp/*", "loose")).toBe("/tmp/sshpod-0\n");
    expect(await loot("loose")).toBe("");
    await as("admin", "chmod 1777 /tmp", "loose");
    expect(await admin("loose")).toEqual(entered);
    expect(await loot("loose")).toBe("");
  });

  it("is refused where it belongs to one of them, and taken from root", async () => {
    await clean("loose");
    await as("admin", `chown ${eve} /tmp`, "loose");
    expect((await admin("loose")).code).toBe(255);
    expect(await refusal()).toMatch(
      /can replace what is put into its \/tmp \(owner 1234, drwxrwxrwt\); make it root's, with mode 1777$/,
    );
    await as("admin", "chown 0 /tmp", "loose");
    expect(await admin("loose")).toEqual(entered);
  });

  it("is taken where nobody else can be, and refused where its user could gain another uid", async () => {
    expect(await ssh("dev", "pod--alone", "id -u")).toEqual({ code: 0, stdout: "1000\n", stderr: "" });
    expect((await ssh("dev", "pod--gaining", "id -u")).code).toBe(255);
    expect(await refusal()).toMatch(
      /other users can replace what is put into its \/tmp \(owner 0, drwxrwxrwx\)/,
    );
  });
});

it("runs no program from a folder of PATH that others may write to, and leaves the session its PATH", async () => {
  await clean("path");
  await writeFile(log(), "");
  const names = [
    "sh",
    "ls",
    "cat",
    "mkdir",
    "mv",
    "chmod",
    "uname",
    "tar",
    "gzip",
    "sha256sum",
    "pwd",
    "set",
  ];
  await as("eve", `mkdir -p /loot/bin; ${names.map((name) => trap(`/loot/bin/${name}`)).join("; ")}`, "path");
  const outcome = await ssh("root", "container--admin.pod--path", '/bin/id -u; echo "$PATH"');
  expect(outcome).toEqual({ code: 0, stdout: "0\n/loot/bin:/bin\n", stderr: "" });
  expect(await loot("path")).toBe("");
  // The trap does work.
  await kubectl(["-n", namespace, "exec", "path", "-c", "admin", "--", "ls"]);
  expect(await loot("path")).toBe("/loot/bin/ls  as 0\n");
});

describe("an sshd that runs", () => {
  const live = async () => (await as("admin", "cat /tmp/sshpod-0/*/live")).trim().split(" ")[0] ?? "";

  beforeAll(async () => {
    await clean("crowd");
    expect(await admin()).toEqual(entered);
  });

  it("hides the host key and the environment from other users", async () => {
    const readable = (container: string) =>
      as(
        container,
        "cd /tmp/sshpod-0; for file in */host_key */config.*; do cat $file >/dev/null 2>&1 && echo yes || echo no; done",
      );
    expect(await readable("eve")).toBe("no\nno\n");
    expect(await readable("admin")).toBe("yes\nyes\n");
  });

  it("is reached from inside the pod only", async () => {
    const port = await live();
    const address = await kubectl(["-n", namespace, "get", "pod", "crowd", "-o", "jsonpath={.status.podIP}"]);
    const knock = (at: string) => `(sleep 1) | nc -w 3 ${at} ${port} 2>&1 | head -c 4; true`;
    expect(await as("admin", knock("127.0.0.1"))).toBe("SSH-");
    expect(await as("main", knock(address), "elsewhere")).toBe("nc: ");
  });

  it("takes its own laptop's key only", async () => {
    const port = await live();
    const other = await writeConfig("other");
    // The other laptop has the right to exec; what it has not is this sshd's key.
    const enter = (config: string) =>
      run(
        "ssh",
        [
          ...[
            "-F",
            config,
            "-p",
            port,
            "-o",
            "StrictHostKeyChecking=no",
            "-o",
            "UserKnownHostsFile=/dev/null",
          ],
          ...["-o", "LogLevel=ERROR"],
          ...["-o", "ProxyCommand=drawbridge proxy --own-sshd --host %h --user %r --port %p"],
          `root@${host("container--admin.pod--crowd")}`,
          "id -u",
        ],
        { env },
      );
    await run("ssh", ["-F", other, `root@${host("pod--elsewhere")}`, "true"], { env });
    expect(await enter(configFile)).toEqual({ code: 0, stdout: "0\n", stderr: "" });
    const refused = await enter(other);
    expect(refused.code).toBe(255);
    expect(refused.stderr).toContain("Permission denied (publickey).");
  });
});

describe("a terminal", () => {
  const control = /[\p{Cc}\p{Cf}]/u;

  it("is not written to by a user name out of a pod", async () => {
    const passwd = String.raw`printf '\033[2J\033]0;gone\007app:x:0:0::/:/bin/sh\n' >/etc/passwd`;
    await as("main", `mkdir -p /etc; ${passwd}`, "elsewhere");
    await writeFile(log(), "");
    expect((await ssh("bob", "pod--elsewhere", "true")).code).toBe(255);
    const said = await refusal();
    expect(said).not.toMatch(control);
    expect(said).toContain(String.raw`runs as \x1b[2J\x1b]0;gone\x07app (uid 0), so bob cannot log in`);
    await as("main", "rm -r /etc/passwd", "elsewhere");
    expect((await ssh("bob", "pod--elsewhere", "id -u")).stdout).toBe("0\n");
  });

  it("is not written to by the greeting of what answers in sshd's place", async () => {
    const say = async (greeting: string) => {
      const server = net.createServer((socket) => {
        socket
          .on("error", () => undefined)
          .once("data", () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${greeting}\r\n`));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as net.AddressInfo;
      const way = { way: "gateway", address: "127.0.0.1", port };
      const outputs = join(cli.home, "outputs.json");
      await writeFile(outputs, JSON.stringify(target([way])));
      expect((await cli.run(["ssh-config", "--from", outputs])).code).toBe(0);
      const { stdout } = await cli.run(["doctor", "dev1"]);
      server.close();
      return stdout.split("\n").find((line) => line.includes("SSH banner"));
    };
    expect(await say("SSH-2.0-x\x1b[2J\x07ok")).toBe(String.raw`  ok   SSH banner: SSH-2.0-x\x1b[2J\x07ok`);
    expect(await say("SSH-2.0-OpenSSH_10.0")).toBe("  ok   SSH banner: SSH-2.0-OpenSSH_10.0");
  });
});

describe("an argument", () => {
  const folder = () => join(cli.home, ".ssh", "drawbridge");
  const evil = "x\n  ProxyCommand touch /tmp/owned\nHost y";

  it.each<[string, string[], string]>([
    [
      "--prefix",
      ["--prefix", evil],
      `${JSON.stringify(`${evil}dev1`)} is not a name for ssh; use letters, digits, ., _ and -, beginning with a letter or digit`,
    ],
    [
      "--identity",
      ["--identity", evil],
      `${JSON.stringify(evil)} cannot stand in an ssh_config; use a path without quotes, $ and control characters`,
    ],
    [
      "--ca",
      ["--ca", "/x/$(touch /tmp/owned)"],
      '"/x/$(touch /tmp/owned)" cannot stand in an ssh_config; use a path without quotes, $ and control characters',
    ],
  ])("%s adds no line to a file and starts nothing", async (option, words, sentence) => {
    const way = { way: "gateway", address: "127.0.0.1", port: 443, tls: true };
    const outputs = join(cli.home, "outputs.json");
    await writeFile(outputs, JSON.stringify(target([way])));
    expect((await cli.run(["ssh-config", "--from", outputs])).code).toBe(0);
    const before = await readFile(join(folder(), "config"), "utf8");
    expect(await cli.run(["ssh-config", "--from", outputs, ...words])).toEqual({
      code: 2,
      stdout: "",
      stderr: `drawbridge: ${sentence}\n`,
    });
    expect(await readFile(join(folder(), "config"), "utf8")).toBe(before);
    const fine = option === "--prefix" ? "fine-" : join(cli.home, "fine-");
    if (fine !== "fine-") await writeFile(fine, "");
    expect((await cli.run(["ssh-config", "--from", outputs, option, fine])).code).toBe(0);
    expect(await readFile(join(folder(), "config"), "utf8")).toContain("fine-");
    expect((await readdir("/tmp")).includes("owned")).toBe(false);
  });
});

function target(ways: object[]) {
  return {
    kind: "drawbridge/ssh-target/v1",
    name: "dev1",
    namespace,
    user: "root",
    hostName: "dev1.team-a.dev.example.com",
    port: 22,
    hostKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ"],
    ways,
    home: "/root",
  };
}
