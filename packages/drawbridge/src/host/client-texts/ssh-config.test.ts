/** Every generated text is read by the real OpenSSH: `ssh -G` must understand each line as it was meant. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../kit/temporary-folder.fixture.ts";
import { knownHostsText } from "./known-hosts.ts";
import { ClientOs, canGo, ProxyProgram, plainProgram, proxyLines, sshCommand } from "./proxy-command.ts";
import { aliasesOf, ideLinks, type SshConfigOptions, sshConfigText, sshpodConfigText } from "./ssh-config.ts";
import { type SshTarget, type SshWay, sshTargetKind, sshTargetSchema } from "./target.ts";

const plain: SshWay = { way: "gateway", address: "192.0.2.7", port: 80, tls: false, mutual: false };
const tls: SshWay = { way: "gateway", address: "ssh.example.com", port: 443, tls: true, mutual: false };
const mutual: SshWay = { ...tls, serverName: "gate.example.com", mutual: true };
const frp: SshWay = {
  way: "frp",
  address: "2001:db8::7",
  port: 1337,
  hostName: "dev1.team-a.frp.example.com",
};
const frpTls: SshWay = { ...frp, address: "frp.example.com", port: 443, tls: true };
const sshpod: SshWay = { way: "sshpod", pod: "dev1-0", namespace: "team-a" };
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ";

function target(ways: SshWay[]): SshTarget {
  return {
    kind: sshTargetKind,
    name: "dev1",
    namespace: "team-a",
    user: "jovyan",
    hostName: "dev1.team-a.dev.example.com",
    port: 22,
    hostKeys: [key],
    ways,
    home: "/home/jovyan",
  };
}

const folder = temporaryFolder();

/** What ssh makes of a host of a config, by lower-case keyword. */
function understood(config: string, host: string): Map<string, string> {
  const file = join(folder, "config");
  writeFileSync(file, config);
  const lines = execFileSync("ssh", ["-G", "-F", file, host], { stdio: ["ignore", "pipe", "pipe"] })
    .toString()
    .trim()
    .split("\n");
  return new Map(lines.map((line) => [line.split(" ", 1)[0] ?? "", line.slice(line.indexOf(" ") + 1)]));
}

const ways = { plain: [plain], tls: [tls], mutual: [mutual], frp: [frp], frpTls: [frpTls], sshpod: [sshpod] };
const commands: Record<ProxyProgram, Record<keyof typeof ways, string | undefined>> = {
  drawbridge: {
    plain: "drawbridge proxy --via http://192.0.2.7:80 --host %h --port %p",
    tls: "drawbridge proxy --via https://ssh.example.com:443 --host %h --port %p",
    mutual:
      'drawbridge proxy --via https://ssh.example.com:443 --server-name gate.example.com --ca ~/ca.pem --cert "/my files/a%%b.pem" --key ~/k.pem --host %h --port %p',
    frp: 'drawbridge proxy --via "http://[2001:db8::7]:1337/dev1.team-a.frp.example.com" --host %h --port %p',
    frpTls:
      "drawbridge proxy --via https://frp.example.com:443/dev1.team-a.frp.example.com --host %h --port %p",
    sshpod: "drawbridge proxy --via pod--dev1-0.namespace--team-a.sshpod --own-sshd --host %h --port %p",
  },
  nc: {
    plain: "nc -F -X connect -x 192.0.2.7:80 %h %p",
    tls: undefined,
    mutual: undefined,
    frp: 'nc -F -X connect -x "[2001:db8::7]:1337" dev1.team-a.frp.example.com %p',
    frpTls: undefined,
    sshpod: undefined,
  },
  ncat: {
    plain: "ncat --proxy 192.0.2.7:80 --proxy-type http %h %p",
    tls: undefined,
    mutual: undefined,
    frp: 'ncat --proxy "[2001:db8::7]:1337" --proxy-type http dev1.team-a.frp.example.com %p',
    frpTls: undefined,
    sshpod: undefined,
  },
  proxytunnel: {
    plain: "proxytunnel -q -p 192.0.2.7:80 -d %h:%p",
    tls: "proxytunnel -q -p ssh.example.com:443 -E -d %h:%p",
    mutual:
      'proxytunnel -q -p ssh.example.com:443 -E -o gate.example.com -C ~/ca.pem -c "/my files/a%%b.pem" -k ~/k.pem -d %h:%p',
    frp: 'proxytunnel -q -p "[2001:db8::7]:1337" -d dev1.team-a.frp.example.com:%p',
    frpTls: "proxytunnel -q -p frp.example.com:443 -E -d dev1.team-a.frp.example.com:%p",
    sshpod: undefined,
  },
};
const files = { ca: "~/ca.pem", clientCertificate: "/my files/a%b.pem", clientKey: "~/k.pem" };
/** How a command differs from Linux's on another system. */
const onOs: Record<ClientOs, (command: string) => string> = {
  linux: (command) => command,
  macos: (command) => command.replace("nc -F ", "nc "),
  windows: (command) =>
    command
      .replace("nc -F ", "nc ")
      .replace(/^drawbridge /, "drawbridge.cmd ")
      .replace(/^ncat /, "ncat.exe "),
};

describe("sshConfigText", () => {
  const cases = Object.values(ProxyProgram).flatMap((program) =>
    Object.values(ClientOs).flatMap((os) =>
      (Object.keys(ways) as (keyof typeof ways)[]).map((way) => [program, os, way] as const),
    ),
  );

  it.each(cases)("%s on %s by %s", (program, os, way) => {
    const command = commands[program][way];
    const options: SshConfigOptions = { program, os, ...(way === "mutual" ? { proxy: files } : {}) };
    if (command === undefined) {
      expect(canGo(program, ways[way][0] as SshWay)).toBe(false);
      expect(() => sshConfigText(target(ways[way]), options)).toThrow(`${program} cannot go any of the ways`);
      return;
    }
    const read = understood(sshConfigText(target(ways[way]), options), "dev1");
    expect(read.get("proxycommand")).toBe(onOs[os](command));
    expect(read.get("hostname")).toBe("dev1.team-a.dev.example.com");
    expect(read.get("user")).toBe("jovyan");
    expect(read.get("port")).toBe("22");
    expect(read.get("stricthostkeychecking")).toBe("true");
    expect(read.get("proxyusefdpass")).toBe(program === "nc" && os === "linux" ? "yes" : "no");
    expect(read.get("serveraliveinterval")).toBe("30");
    expect(read.get("serveralivecountmax")).toBe("6");
    expect(read.get("controlmaster")).toBe("false");
  });

  it("writes what is asked for: key, known hosts, agent, multiplexing", () => {
    const config = sshConfigText(target([plain]), {
      alias: "box",
      identityFile: "/my keys/id%1",
      knownHostsFile: "/x/known hosts",
      forwardAgent: true,
      multiplexSeconds: 600,
    });
    const read = understood(config, "box");
    // -G shows this one as it is written; ssh takes the doubled sign for one when it opens the file.
    expect(read.get("identityfile")).toBe("/my keys/id%%1");
    expect(read.get("identitiesonly")).toBe("yes");
    expect(read.get("userknownhostsfile")).toBe("/x/known hosts");
    expect(read.get("forwardagent")).toBe("yes");
    expect(read.get("controlmaster")).toBe("auto");
    expect(read.get("controlpersist")).toBe("600");
    expect(read.get("controlpath")).toMatch(/\/\.ssh\/drawbridge-[0-9a-f]{40}$/);
  });

  it("does not multiplex on Windows, whose OpenSSH cannot", () => {
    const config = sshConfigText(target([plain]), { os: "windows", multiplexSeconds: 600 });
    expect(config.includes("Control")).toBe(false);
  });

  it("tries several ways in order under one name, and gives each a name of its own", () => {
    const config = sshConfigText(target([tls, frp, sshpod]));
    const command = (host: string) => understood(config, host).get("proxycommand");
    expect(command("dev1")).toBe(
      'drawbridge proxy --via https://ssh.example.com:443 --via "http://[2001:db8::7]:1337/dev1.team-a.frp.example.com" --via pod--dev1-0.namespace--team-a.sshpod --own-sshd --host %h --port %p',
    );
    expect(command("dev1.gateway")).toBe(
      "drawbridge proxy --via https://ssh.example.com:443 --host %h --port %p",
    );
    expect(command("dev1.frp")).toBe(
      'drawbridge proxy --via "http://[2001:db8::7]:1337/dev1.team-a.frp.example.com" --host %h --port %p',
    );
    expect(command("dev1.sshpod")).toBe(
      "drawbridge proxy --via pod--dev1-0.namespace--team-a.sshpod --own-sshd --host %h --port %p",
    );
    expect(command("dev1.other")).toBe(undefined);
    expect(aliasesOf("dev1", [tls, frp, sshpod])).toEqual([
      "dev1",
      "dev1.gateway",
      "dev1.frp",
      "dev1.sshpod",
    ]);
    expect(config.match(/(?<=^Host ).*/gm)).toEqual(aliasesOf("dev1", [tls, frp, sshpod]));
    expect(aliasesOf("dev1", [tls])).toEqual(["dev1"]);
    for (const host of ["dev1", "dev1.gateway", "dev1.frp", "dev1.sshpod"]) {
      expect(understood(config, host).get("hostname")).toBe("dev1.team-a.dev.example.com");
    }
  });

  it("shares no connection that may go another way with the names of single ways", () => {
    const own = "\nHost *\n  ControlMaster auto\n  ControlPath ~/.ssh/own-%h\n";
    const config = sshConfigText(target([tls, frp]), { multiplexSeconds: 60 }) + own;
    expect(understood(config, "dev1").get("controlpath")).toMatch(/drawbridge-/);
    for (const host of ["dev1.gateway", "dev1.frp"])
      expect(understood(config, host).get("controlpath")).toBe(undefined);
  });

  it("starts our program as it is told to", () => {
    const proxy = { command: ["/opt/my node/bin/node", "/x/main.js"] };
    const config = sshConfigText(target([plain]), { proxy });
    expect(understood(config, "dev1").get("proxycommand")).toBe(
      '"/opt/my node/bin/node" /x/main.js proxy --via http://192.0.2.7:80 --host %h --port %p',
    );
  });

  it("stays the lines that it is, whatever stands in them, or is refused", () => {
    const piece = fc.constantFrom(
      "\n",
      "\r",
      "\u2028",
      "\x85",
      "\t",
      " ",
      '"',
      "'",
      "$(x)",
      "`x`",
      "%",
      "#",
      "*",
      "a",
      "\\",
    );
    const text = fc.string({
      unit: fc.oneof(piece, fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
    });
    const options = fc.record({
      alias: text,
      identityFile: text,
      knownHostsFile: text,
      ca: text,
      command: text,
    });
    const plainText = { alias: "a", identityFile: "b", knownHostsFile: "c", ca: "d", command: "e" };
    const written = ({ ca, command, ...rest }: typeof plainText) =>
      sshConfigText(target([mutual]), { ...rest, proxy: { ca, command: [command] } });
    const keywords = (config: string) =>
      config.split(/[\n\r\x85\u2028\u2029]/).map((line) => line.trim().split(" ")[0]);
    const expected = keywords(written(plainText));
    let taken = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(plainText) as (keyof typeof plainText)[])),
        options,
        (field, hostile) => {
          let config: string;
          try {
            config = written({ ...plainText, [field]: hostile[field] });
          } catch (error) {
            expect((error as Error).message).toMatch(
              /cannot stand in an ssh_config|is not a name for ssh|line break/,
            );
            return;
          }
          taken++;
          expect(keywords(config)).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
    // The law is not kept by refusing everything.
    expect(taken).toBeGreaterThan(50);
  });

  it("refuses a name, a host or a user that is more than that", () => {
    const evil = "x\n  ProxyCommand evil";
    expect(() => sshConfigText(target([plain]), { alias: evil })).toThrow(
      '"x\\n  ProxyCommand evil" is not a name for ssh; use letters, digits, ., _ and -, beginning with a letter or digit',
    );
    for (const name of ["*", "a b", "!a", "-F", "a,b", "a?"]) {
      expect(() => sshConfigText(target([plain]), { alias: name })).toThrow("is not a name for ssh");
      expect(() => sshConfigText({ ...target([plain]), hostName: name })).toThrow("is not a name for ssh");
      expect(() => sshConfigText({ ...target([plain]), user: name })).toThrow("is not a name for ssh");
      expect(() => knownHostsText([{ ...target([plain]), hostName: name }])).toThrow("is not a name for ssh");
    }
    expect(() => knownHostsText([{ ...target([plain]), hostKeys: [`${key}\n* ${key}`] }])).toThrow(
      "holds a line break",
    );
  });

  it("refuses a path that would begin a line of its own", () => {
    expect(() => sshConfigText(target([plain]), { identityFile: "x\nProxyCommand evil" })).toThrow(
      '"x\\nProxyCommand evil" cannot stand in an ssh_config',
    );
    expect(() => sshConfigText(target([mutual]), { proxy: { ca: 'x" evil' } })).toThrow(
      '"x\\" evil" cannot stand in an ssh_config',
    );
    expect(() => sshConfigText(target([mutual]), { proxy: { ca: "/x/$(reboot)" } })).toThrow(
      '"/x/$(reboot)" cannot stand in an ssh_config; use a path without quotes, $ and control characters',
    );
  });
});

describe("sshpodConfigText", () => {
  it("leads every .sshpod name to our program, with its own key and known hosts", () => {
    const read = understood(sshpodConfigText("/state/sshpod"), "pod--x.sshpod");
    const command = "drawbridge proxy --host '%h' --user '%r' --port %p";
    expect(read.get("proxycommand")).toBe(command);
    expect(read.get("identityfile")).toBe("/state/sshpod/id_ed25519");
    expect(read.get("identitiesonly")).toBe("yes");
    expect(read.get("userknownhostsfile")).toBe("/state/sshpod/known_hosts");
    expect(read.get("stricthostkeychecking")).toBe("true");
    for (const host of ["container--a.pod--x.sshpod", "deployment--x.namespace--y.sshpod", "job--x.sshpod"])
      expect(understood(sshpodConfigText("/state/sshpod"), host).get("proxycommand")).toBe(command);
    for (const host of ["pod--x", "dev1.sshpod"])
      expect(understood(sshpodConfigText("/state/sshpod"), host).get("proxycommand")).toBe(undefined);
  });

  it("is written by hand on the page as it is here", () => {
    const [, led] = sshpodConfigText("/state/sshpod").split("\n\n");
    expect(led).toMatch(
      /^Match host "pod--\*\.sshpod,.*\n {2}ProxyCommand drawbridge proxy --host '%h'.*\n$/,
    );
    expect(readFileSync("docs/sshpod.md", "utf8")).toContain(led);
  });

  /** ssh looks at names on its command line since 9.6, but never at those of a config. */
  const pod = "pod--x.sshpod";
  const named = (host: string, user: string, config: string) =>
    `Host ${pod}\n  HostName "${host}"\n  User "${user}"\n${config}`;

  it.each([
    ["linux", "'", "drawbridge proxy --host '%h' --user '%r' --port %p"],
    ["macos", "'", "drawbridge proxy --host '%h' --user '%r' --port %p"],
    ["windows", "\t !#$%&'();<=>[\\]^`{|}~", "drawbridge.cmd proxy --host %h --user %r --port %p"],
  ] as const)(
    "on %s leads no name there that could be more than a word of its command",
    (os, unsafe, command) => {
      const config = sshpodConfigText("/state/sshpod", os);
      const commandFor = (host: string, user: string) =>
        understood(named(host, user, config), pod).get("proxycommand");
      const context = "pod--x.context--a_b.c:d/e+f@g.sshpod";
      expect(commandFor(context, "a_b.c-1")).toBe(command);
      const led = [...unsafe].filter((sign) => {
        const word = sign === "%" ? "%%" : sign;
        return commandFor(`x.${word}.${pod}`, "a") ?? commandFor(pod, `a${word}b`);
      });
      expect(led).toEqual([]);
    },
  );

  it("starts nothing that a host name or a user says", () => {
    const program = join(folder, "program");
    writeFileSync(program, '#!/bin/sh\nprintf "<%s>" "$@" > words\n', { mode: 0o700 });
    const config = sshpodConfigText("/state/sshpod", "linux", { command: [program] });
    const made = (text: string, ...login: string[]) => {
      for (const name of ["owned", "words"]) rmSync(join(folder, name), { force: true });
      writeFileSync(join(folder, "config"), text);
      const ssh = ["-F", "config", "-o", "BatchMode=yes", ...login, "true"];
      const { status } = spawnSync("ssh", ssh, { cwd: folder, env: { ...process.env, SHELL: "/bin/bash" } });
      expect(status).toBe(255);
      const words = join(folder, "words");
      return {
        owned: existsSync(join(folder, "owned")),
        words: existsSync(words) ? readFileSync(words, "utf8") : undefined,
      };
    };
    const words = (host: string, user: string) => `<proxy><--host><${host}><--user><${user}><--port><22>`;
    expect(made(config, `app@${pod}`)).toEqual({ owned: false, words: words(pod, "app") });
    for (const start of [
      "$(touch owned)",
      "`touch owned`",
      ";touch owned;",
      "&touch owned&",
      "|touch owned|",
    ]) {
      const host = `x.${start}.${pod}`;
      expect(made(named(host, start, config), pod)).toEqual({ owned: false, words: words(host, start) });
    }
    for (const start of ["';touch owned;'", "'$(touch owned)'"]) {
      expect(made(named(`x.${start}.${pod}`, "app", config), pod)).toEqual({ owned: false });
      expect(made(named(pod, start, config), pod)).toEqual({ owned: false });
    }
    // A second line runs where bash gives up the first. ssh refuses the name itself from 10.1 on.
    expect(made(config, "-l", "$[+]\ntouch owned\n", pod)).toMatchObject({ owned: false });
  });
});

describe("sshCommand", () => {
  it("uses nc where that can go, and drawbridge elsewhere", () => {
    expect(sshCommand(target([tls, plain]))).toBe(
      "ssh -o ProxyCommand='nc -X connect -x 192.0.2.7:80 %h %p' -p 22 jovyan@dev1.team-a.dev.example.com",
    );
    expect(sshCommand(target([sshpod]))).toBe(
      "ssh -o ProxyCommand='drawbridge proxy --via pod--dev1-0.namespace--team-a.sshpod --own-sshd --host %h --port %p' -p 22 jovyan@dev1.team-a.dev.example.com",
    );
    expect(plainProgram(target([tls, sshpod]), "proxytunnel")).toBe("proxytunnel");
    expect(plainProgram(target([sshpod]), "proxytunnel")).toBe("drawbridge");
    expect(proxyLines("nc", "linux", [tls, frp]).length).toBe(2);
  });
});

describe("knownHostsText", () => {
  it("is found by ssh-keygen under the one host name, on port 22 and others", () => {
    const other = { ...target([plain]), hostName: "x.team-a.dev.example.com", port: 2222 };
    const file = join(folder, "known_hosts");
    writeFileSync(file, knownHostsText([target([plain]), other]));
    const find = (name: string) =>
      execFileSync("ssh-keygen", ["-F", name, "-f", file]).toString().split("\n")[1];
    expect(find("dev1.team-a.dev.example.com")).toBe(`dev1.team-a.dev.example.com ${key}`);
    expect(find("[x.team-a.dev.example.com]:2222")).toBe(`[x.team-a.dev.example.com]:2222 ${key}`);
  });
});

describe("sshTargetSchema", () => {
  it("takes what containers give out and fills in the defaults", () => {
    const given = target([plain, mutual, frp, frpTls, sshpod]);
    expect(sshTargetSchema.parse(JSON.parse(JSON.stringify(given)))).toEqual(given);
    const short = { way: "gateway", address: "192.0.2.7", port: 80 };
    expect(sshTargetSchema.parse({ ...given, ways: [short] }).ways).toEqual([plain]);
  });

  it.each([
    ["name", "dev1\nProxyCommand evil"],
    ["user", "a b"],
    ["user", "-oProxyCommand=x"],
    ["hostName", "a.b;reboot"],
    ["hostName", "-oX.example.com"],
    ["home", "/home/../root"],
    ["port", 0],
    ["hostKeys", []],
    ["hostKeys", [`${key}\n* ${key}`]],
    ["hostKeys", [`@cert-authority * ${key}`]],
    ["ways", []],
    ["ways", [{ ...plain, address: "a$(reboot)" }]],
    ["ways", [{ ...frp, hostName: "x y.z" }]],
    ["ways", [{ ...sshpod, pod: "../secrets" }]],
    ["ways", [{ ...sshpod, way: "carrier pigeon" }]],
    ["more", 1],
  ])("refuses %s %j", (field, value) => {
    const result = sshTargetSchema.safeParse({ ...target([plain]), [field]: value });
    expect(result.success).toBe(false);
  });
});

it("writes links for editors, with odd folders quoted", () => {
  expect(ideLinks("dev1", "/home/a b/ü", "a")).toEqual({
    vscode: "vscode://vscode-remote/ssh-remote+dev1/home/a%20b/%C3%BC",
    cursor: "cursor://vscode-remote/ssh-remote+dev1/home/a%20b/%C3%BC",
    zed: "ssh://dev1/home/a%20b/%C3%BC",
    jetbrainsGateway:
      "jetbrains-gateway://connect#type=ssh&host=dev1&port=22&user=a&projectPath=%2Fhome%2Fa+b%2F%C3%BC&deploy=true",
  });
});
