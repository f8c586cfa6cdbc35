import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tooOld } from "../config-files.ts";
import { sshTarget } from "../ssh-target.fixture.ts";
import { sshConfig } from "./ssh-config.ts";

describe("sshConfig", () => {
  let home: string;
  const file = (name: string) => join(home, name);
  const config = () => readFile(file(".ssh/drawbridge/config"), "utf8");
  const outputs = (name: string, ...containers: string[]) =>
    writeFile(
      file(name),
      JSON.stringify(containers.map((each) => sshTarget({ name: each, hostName: `${each}.example.com` }))),
    );

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "drawbridge-home-"));
    vi.stubEnv("HOME", home);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true });
  });

  it("reads again what it read before, with the options of then", async () => {
    await writeFile(file("key"), "");
    await outputs("a.json", "dev1");
    await outputs("b.json", "web");
    await sshConfig({ from: file("a.json"), identity: file("key"), prefix: "a-" });
    await sshConfig({ from: file("b.json") });
    await outputs("a.json", "dev1", "dev2");
    expect((await sshConfig({})).split("\n").slice(0, 3)).toEqual(["ssh a-dev1", "ssh a-dev2", "ssh web"]);
    expect((await config()).match(new RegExp(`IdentityFile ${file("key")}`, "g"))).toHaveLength(2);
    await expect(sshConfig({ identity: file("none") })).rejects.toMatchObject({
      message: `there is no file ${file("none")}, which --identity names; check its path`,
      exitCode: 2,
    });
    await sshConfig({ from: file("a.json"), prefix: "x-" });
    expect(await config()).toContain(`Host x-dev1\n`);
    expect((await config()).match(new RegExp(`IdentityFile ${file("key")}`, "g"))).toHaveLength(2);
  });

  it("reads the other sources again if some cannot be read, and says which and what to do", async () => {
    const [a, b, c, d] = ["a.json", "b.json", "c.json", "d.json"].map(file) as [
      string,
      string,
      string,
      string,
    ];
    for (const [name, container] of Object.entries({ a: "dev1", b: "web", c: "api", d: "db" })) {
      await outputs(`${name}.json`, container);
      await sshConfig({ from: file(`${name}.json`) });
    }
    const before = await config();
    await writeFile(a, "{}");
    await rm(b);
    await outputs("c.json", "api", "new");
    const other = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAA"];
    await writeFile(
      d,
      JSON.stringify(sshTarget({ name: "x", hostName: "api.example.com", hostKeys: other })),
    );
    const none =
      "the outputs name no container; export the sshTarget of each DevContainer from your program and run pulumi up (one that failed gives out nothing; drawbridge doctor says what the cluster has). For pods of any kind, over the Kubernetes API alone: drawbridge ssh-config --sshpod";
    const faults = [
      `${a} was not read again: ${none}`,
      `if it is gone: drawbridge ssh-config --remove --from ${a}`,
      `${b} was not read again: there is no file ${b}; pass --from the file that your team sent you, or an https address`,
      `if it is gone: drawbridge ssh-config --remove --from ${b}`,
    ];
    const taken = [
      `${d} was not read again: x of ${d} has the host name of api of ${c} (api.example.com:22), so it would take its place; if it has moved, run drawbridge ssh-config, which reads the first again, or forget the first: drawbridge ssh-config --remove --from ${c}; then read ${d} again`,
      `if it is gone: drawbridge ssh-config --remove --from ${d}`,
    ];
    const wrote = `wrote ${file(".ssh/drawbridge/config")}, which ${file(".ssh/config")} includes; 3 of other stacks stay in it`;
    await expect(sshConfig({})).rejects.toMatchObject({
      message: [...faults, ...taken, "ssh api", "ssh new", wrote].join("\n"),
      exitCode: 1,
    });
    const hosts = (text: string) => text.match(/^Host \w+$/gm);
    expect(hosts(before)).toEqual(["Host dev1", "Host web", "Host api", "Host db"]);
    expect(hosts(await config())).toEqual(["Host dev1", "Host web", "Host api", "Host new", "Host db"]);
    // Nothing is written if nothing could be read.
    for (const gone of [a, c, d]) await rm(gone, { force: true });
    const after = await config();
    await expect(sshConfig({ prefix: "y-" })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^(\S+ was not read again: there is no file .*\nif it is gone: .*\n?){4}$/,
      ) as string,
      exitCode: 1,
    });
    expect(await config()).toBe(after);
  });

  it("follows a container that moved from one source to another, whichever of them was read first", async () => {
    for (const name of ["a.json", "b.json"]) {
      await outputs(name, name === "a.json" ? "dev1" : "web");
      await sshConfig({ from: file(name) });
    }
    for (const [to, from, left] of [
      ["a.json", "b.json", "other"],
      ["b.json", "a.json", "more"],
    ] as const) {
      await outputs(to, "dev1", "web");
      await outputs(from, left);
      expect((await sshConfig({})).match(/^ssh \w+$/gm)?.sort()).toEqual([
        "ssh dev1",
        `ssh ${left}`,
        "ssh web",
      ]);
    }
  });

  it("reads one stack from two places, and follows the first of them", async () => {
    for (const name of ["a.json", "b.json"]) await outputs(name, "dev1");
    await sshConfig({ from: file("a.json") });
    expect(await sshConfig({ from: file("b.json") })).toMatch(
      `ssh dev1 stays as it was read from ${file("a.json")}\n`,
    );
    await outputs("b.json", "dev1", "web");
    expect(await sshConfig({})).toMatch(/^ssh dev1\nssh web\n/);
    // A container that the first has no more is the second's.
    await outputs("a.json", "other");
    expect(await sshConfig({})).toMatch(/^ssh other\nssh dev1\nssh web\n/);
  });

  it("loses nothing if several run at once, be they other processes", async () => {
    const names = ["a", "b", "c", "d"];
    for (const name of names) await outputs(`${name}.json`, name);
    const starting = names.map((name) => {
      const words = [join(import.meta.dirname, "../main.ts"), "ssh-config", "--from", file(`${name}.json`)];
      return promisify(execFile)(process.execPath, words, { env: { ...process.env, HOME: home } });
    });
    await Promise.all(starting);
    expect((await config()).match(/^Host \w$/gm)?.sort()).toEqual(names.map((name) => `Host ${name}`));
    expect(existsSync(file(".ssh/drawbridge-lock"))).toBe(false);
  }, 60_000);

  it("reads the selected stack of its folder too, be it inside of it, or says why not", async () => {
    await mkdir(file("bin"));
    await mkdir(file("work/src"), { recursive: true });
    await writeFile(file("work/Pulumi.yaml"), "name: work\n");
    const pulumi = (script: string) =>
      writeFile(file("bin/pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    vi.stubEnv("PATH", `${file("bin")}:${process.env.PATH}`);
    await outputs("a.json", "dev1");
    await outputs("work.json", "web");
    await sshConfig({ from: file("a.json") });
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(file("work/src"));
    await pulumi("echo 'error: no stack selected' >&2; exit 1");
    expect(await sshConfig({})).toBe(
      `ssh dev1\nwrote ${file(".ssh/drawbridge/config")}, which ${file(".ssh/config")} includes\nthe stack of ${file("work")} was not read: pulumi stack output failed: error: no stack selected; name one: drawbridge ssh-config --stack STACK\n`,
    );
    await pulumi(`[ "$PWD" = ${file("work")} ] && cat ${file("work.json")}`);
    expect((await sshConfig({})).match(/^ssh \w+$/gm)).toEqual(["ssh dev1", "ssh web"]);
    await outputs("work.json", "web", "db");
    expect((await sshConfig({})).match(/^ssh \w+$/gm)).toEqual(["ssh dev1", "ssh db", "ssh web"]);
    cwd.mockRestore();
    expect((await sshConfig({})).match(/^ssh \w+$/gm)).toEqual(["ssh dev1", "ssh db", "ssh web"]);
    await sshConfig({ remove: true, cwd: file("work") });
    expect((await sshConfig({})).match(/^ssh \w+$/gm)).toEqual(["ssh dev1"]);
  });

  it("forgets one source by what an error says, also the selected stack of a folder", async () => {
    const bin = file("bin");
    await mkdir(bin);
    await writeFile(join(bin, "pulumi"), `#!/bin/sh\ncat ${file("a.json")}\n`, { mode: 0o700 });
    vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
    await outputs("a.json", "dev1");
    await outputs("b.json", "web");
    await sshConfig({ from: file("b.json") });
    for (const stack of ["team-a", undefined]) {
      const read = { cwd: home, ...(stack === undefined ? {} : { stack }) };
      await sshConfig(read);
      expect(await config()).toContain("Host dev1\n");
      await sshConfig({ ...read, remove: true });
      expect(await config()).not.toContain("Host dev1\n");
      expect(await config()).toContain("Host web\n");
    }
  });

  it.each(["identity", "ca", "cert", "key"] as const)(
    "refuses a file of --%s that is not there",
    async (option) => {
      await outputs("a.json", "dev1");
      await expect(sshConfig({ from: file("a.json"), [option]: file("none") })).rejects.toMatchObject({
        message: `there is no file ${file("none")}, which --${option} names; check its path`,
        exitCode: 2,
      });
      expect(existsSync(file(".ssh"))).toBe(false);
    },
  );

  it("says of a path that cannot stand in an ssh_config just that, on one line", async () => {
    await outputs("a.json", "dev1");
    await expect(sshConfig({ from: file("a.json"), identity: "x\nHost y" })).rejects.toMatchObject({
      message: expect.stringMatching(/^"x\\nHost y" cannot stand in an ssh_config; use a path/) as string,
      exitCode: 2,
    });
  });

  it("writes a file's whole path, which ssh finds from any folder", async () => {
    for (const name of ["key", "ca.pem"]) await writeFile(file(name), "");
    await outputs("a.json", "dev1");
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(home);
    await sshConfig({ from: file("a.json"), identity: "key", ca: "~/ca.pem" });
    cwd.mockRestore();
    expect(await config()).toContain(`IdentityFile ${file("key")}\n`);
    expect(JSON.parse(await readFile(file(".ssh/drawbridge/targets.json"), "utf8"))).toMatchObject({
      sources: [{ options: { identity: file("key"), ca: file("ca.pem") } }],
    });
    expect((await sshConfig({})).split("\n")[0]).toBe("ssh dev1");
  });

  it("leads to the program from a home that is mounted noexec", async () => {
    await outputs("a.json", "dev1");
    const script = `mount -t tmpfs -o noexec none "$1" && printf '%s' "$2" >"$1/a.json" && "$0" "$3" ssh-config --from "$1/a.json" && ! "$1/.ssh/drawbridge/start" 2>&1 && ssh -F "$1/.ssh/drawbridge/config" -o HostKeyAlias=x dev1 2>&1; true`;
    const main = join(import.meta.dirname, "../main.ts");
    const text = await readFile(file("a.json"), "utf8");
    const words = ["-Urm", "sh", "-c", script, process.execPath, home, text, main];
    const said = execFileSync("unshare", words, {
      encoding: "utf8",
      env: { ...process.env, KUBECONFIG: "/nowhere" },
    });
    expect(said).toMatch(/start: Permission denied\n(.*\s+)?drawbridge: there is no kubeconfig/);
  }, 60_000);

  it("offers one's own keys by the Kubernetes API too, beside the block for every pod", async () => {
    const ways = [{ way: "sshpod" as const, pod: "dev1-0", namespace: "team-a" }];
    const gateway = { way: "gateway" as const, address: "192.0.2.7", port: 80, tls: false, mutual: false };
    await writeFile(file("a.json"), JSON.stringify([sshTarget({ ways: [gateway, ...ways] })]));
    await sshConfig({ from: file("a.json") });
    const read = (host: string) =>
      execFileSync("ssh", ["-F", file(".ssh/drawbridge/config"), "-G", host], { encoding: "utf8" });
    expect(read("dev1.sshpod")).toContain("\nidentitiesonly no\n");
    expect(read("dev1.sshpod")).not.toContain("drawbridge/sshpod/id_ed25519");
    expect(read("container--a.pod--b.sshpod")).toContain("drawbridge/sshpod/id_ed25519\n");
    expect(read("container--a.pod--b.sshpod")).toMatch(/^proxycommand .* --host '%h' /m);
  });

  it("writes no Match where programs read it that refuse a config with one", async () => {
    await outputs("a.json", "dev1");
    await sshConfig({ from: file("a.json") });
    const keywords = (text: string) => new Set(text.match(/^ *\w+/gm)?.map((word) => word.trim()));
    const shown = await config();
    expect([keywords(shown).has("Host"), keywords(shown).has("Match")]).toEqual([true, false]);
    const pods = file(".ssh/drawbridge/pods");
    // They find nothing by a path in quotes.
    expect(shown).toMatch(new RegExp(`^Host \\*\n {2}Include "${pods}"\n$`, "m"));
    expect(keywords(await readFile(pods, "utf8")).has("Match")).toBe(true);
  });

  describe("beside the user's own blocks", () => {
    const effective = (host: string) =>
      execFileSync("ssh", ["-F", file(".ssh/config"), "-G", host], { encoding: "utf8" });
    const own = async (text: string) => {
      await mkdir(file(".ssh"), { recursive: true });
      await writeFile(file(".ssh/config"), text);
      await outputs("a.json", "dev1", "dev2");
      return sshConfig({ from: file("a.json") });
    };

    it.each([
      [
        "Host dev1\n  SetEnv TERM=xterm\n  LocalForward 8888 localhost:8888\n",
        /^localforward 8888 \[localhost\]:8888$/m,
      ],
      ["Host dev1 other\n  IdentityFile ~/mine\n", /^identityfile ~\/mine$/m],
      ["Host dev1\n  User root\n  StrictHostKeyChecking yes\n", /^user jovyan$/m],
      ['Match host "x,dev1.example.com" exec true\n  Compression yes\n', /^compression yes$/m],
      ["Host=dev*\n  HostName %h.corp\n  ProxyJump b\n  Compression yes\n", /^compression yes$/m],
      [
        "Host *\n  StrictHostKeyChecking no\n  ProxyCommand evil\n  VerifyHostKeyDNS no\n",
        /^stricthostkeychecking true$/m,
      ],
      ["Host dev1 !dev1\n  HostKeyAlias other\n", /^hostname dev1.example.com$/m],
      ["Host DEV1 dev11\n  ProxyCommand evil\n", /^hostname dev1.example.com$/m],
    ])("lets hold both: %j", async (text, shown) => {
      expect(await own(text)).toMatch(/^ssh dev1\nssh dev2\n/);
      expect(effective("dev1")).toMatch(shown);
      expect(effective("dev1")).toMatch(/^hostname dev1.example.com$/m);
      expect(effective("dev1")).toMatch(/^proxycommand .*--via pod--dev1-0/m);
      expect(effective("dev1")).toMatch(/^userknownhostsfile .*\/drawbridge\/known_hosts$/m);
      expect(effective("dev1")).not.toMatch(/^(hostkeyalias|verifyhostkeydns true)/m);
    });

    it.each([
      ["Host dev1\n  ProxyCommand evil\n", "ProxyCommand", 2],
      ["Host x dev1\nProxyJump=b\n", "ProxyJump", 2],
      ['Host "dev1"\n\thostname other\n', "hostname", 2],
      ["Host dev1\n  SetEnv A=b\n  Port 2222\n", "Port", 3],
      ["Host dev1\n  HostKeyAlias other\n", "HostKeyAlias", 2],
      ["Host dev1\n  StrictHostKeyChecking accept-new\n", "StrictHostKeyChecking", 2],
      ["Host dev1\n  UserKnownHostsFile /dev/null\n", "UserKnownHostsFile", 2],
      ["Host dev1\n  GlobalKnownHostsFile ~/k\n", "GlobalKnownHostsFile", 2],
      ["Host dev1\n  KnownHostsCommand /bin/k %H\n", "KnownHostsCommand", 2],
      ["Match originalhost dev1 exec true\n  ProxyCommand evil\n", "ProxyCommand", 2],
      ["Match user jovyan host dev1.example.com\n  HostName x\n", "HostName", 2],
      ["Match originalhost=dev1\n  Port 1\n", "Port", 2],
      ["Host *1\n  HostKeyAlias other\n", "HostKeyAlias", 2],
      ["Match exec true host *1*\n  VerifyHostKeyDNS yes\n", "VerifyHostKeyDNS", 2],
      ["Host ?ev1\n  ProxyUseFdpass yes\n", "ProxyUseFdpass", 2],
    ])("refuses what would undo key or way, for that host alone: %j", async (text, keyword, line) => {
      // Below our own block.
      const by = `${keyword} in ${file(".ssh/config")} (line ${line + 3})`;
      await expect(own(text)).rejects.toMatchObject({
        message: expect.stringMatching(/^dev1 is left out: .*\nssh dev2\nwrote /) as string,
        exitCode: 1,
      });
      await expect(sshConfig({})).rejects.toThrow(
        `dev1 is left out: ${by} would lead elsewhere or undo its pinned key; take that out there, or set another name for ours with --prefix`,
      );
      expect((await config()).match(/^Host dev\d/gm)).toEqual(["Host dev2"]);
      expect(effective("dev2")).toMatch(/^hostname dev2.example.com$/m);
    });

    it("finds them in files that they include, also inside of a block", async () => {
      await mkdir(file(".ssh/conf.d/more"), { recursive: true });
      await writeFile(file(".ssh/conf.d/mine"), "Include ~/.ssh/conf.d/more/*.conf conf.d/mine\n");
      await writeFile(file(".ssh/conf.d/more/work.conf"), "# mine\nProxyJump b\nHost dev2\nPort 1\n");
      await expect(
        own('Host other\n  Include "conf.d/*"\nHost dev1\n  Include conf.d/mine\n'),
      ).rejects.toThrow(
        `dev1 is left out: ProxyJump in ${file(".ssh/conf.d/more/work.conf")} (line 2) would`,
      );
      expect((await config()).match(/^Host dev\d/gm)).toEqual(["Host dev2"]);
    });
  });

  it("needs no writing of a config that another program makes, once that includes ours", async () => {
    await outputs("a.json", "dev1");
    // In place of a folder that is read-only, which is none for the superuser.
    await mkdir(file(".ssh/config.drawbridge-new"), { recursive: true });
    await writeFile(file(".ssh/config"), "Host *\n");
    await expect(sshConfig({ from: file("a.json") })).rejects.toThrow(
      `put this at its top yourself, and the rest is done: Include ${file(".ssh/drawbridge/config")}`,
    );
    for (const before of ["StrictHostKeyChecking no", "Host dev*\n  ProxyCommand evil"]) {
      await writeFile(file(".ssh/config"), `${before}\nInclude drawbridge/config\n`);
      await expect(sshConfig({ from: file("a.json") })).rejects.toThrow(
        /; (StrictHostKeyChecking|ProxyCommand) in \S+ \(line \d\) stands before the Include of \S+ and would undo dev1: put this at the top: Include /,
      );
    }
    await writeFile(file(".ssh/config"), "Include drawbridge/config\nHost *\n");
    expect((await sshConfig({ from: file("a.json") })).split("\n")[0]).toBe("ssh dev1");
    expect(await readFile(file(".ssh/config"), "utf8")).toBe("Include drawbridge/config\nHost *\n");
  });

  it("takes everything away again whatever the list of containers has become", async () => {
    await outputs("a.json", "dev1");
    await sshConfig({ from: file("a.json") });
    for (const text of ["{", JSON.stringify({ sources: [{ targets: [{ later: 1 }], storages: [] }] })]) {
      await writeFile(file(".ssh/drawbridge/targets.json"), text);
      await expect(sshConfig({})).rejects.toThrow(
        `${file(".ssh/drawbridge/targets.json")} cannot be used, perhaps because another version wrote it`,
      );
    }
    await sshConfig({ remove: true });
    expect(existsSync(file(".ssh/drawbridge"))).toBe(false);
  });
});

it.each([
  ["OpenSSH_6.6.1p1 Ubuntu-2ubuntu2, OpenSSL 1.0.1f", "6.6"],
  ["OpenSSH_7.2p2, LibreSSL 2.4.1", "7.2"],
])("refuses %s, which has no Include", (version, number) => {
  expect(tooOld(version)).toBe(`OpenSSH ${number} does not know Include in its config; install 7.3 or newer`);
});

it.each([
  "OpenSSH_7.3p1, OpenSSL 1.0.2",
  "OpenSSH_9.2p1 Debian-2+deb12u7, OpenSSL 3.0.17",
  "OpenSSH_10.0p2, OpenSSL 3.5.1",
  "OpenSSH_for_Windows_8.1p1, LibreSSL 3.0.2",
  "some other program",
])("takes %s", (version) => {
  expect(tooOld(version)).toBe(undefined);
});
