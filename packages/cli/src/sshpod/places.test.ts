/** Runs the scripts with a folder of the test's own in place of /tmp. Modes stand in for what another user could do. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sumsOf } from "./bundle.ts";
import {
  placeBusyboxScript,
  probeScript,
  readAnswers,
  startScript,
  unpackScript,
  unpackWithBusyboxScript,
} from "./scripts.ts";

/** Stand-ins that do what the scripts ask of the bundle, by the machine's own programs. */
const programs = {
  busybox: '#!/bin/sh\ncase $1 in usleep) exec sleep 0.02 ;; esac\nexec "$@"\n',
  sshd: '#!/bin/sh\nport=$(sed -n "s/^Port //p" "$2")\necho $$ >"${2%/*}/pid.$port"\n',
  "sshd-session": "#!/bin/sh\n",
  "sshd-auth": "#!/bin/sh\n",
};
const uid = process.getuid?.();
const place = ["second", "shared"];
let work: string;
let tmp: string;
let archive: Buffer;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "drawbridge-places-"));
  tmp = join(work, "t");
  mkdirSync(tmp, { mode: 0o700 });
  archive = bundle(programs);
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

function bundle(files: Record<string, string>): Buffer {
  const folder = mkdtempSync(join(work, "bundle-"));
  mkdirSync(join(folder, "bin"));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, "bin", name), text, { mode: 0o755 });
  return execFileSync("tar", ["-czf", "-", "-C", folder, "bin"]);
}

/** What a script answers; it must not fail. */
function run(script: string, args: readonly string[], input: Buffer | string = ""): Record<string, string> {
  const own = script.replace(/\/var\/tmp|\/tmp/g, (path) => (path === "/tmp" ? tmp : join(work, "none")));
  const env = { PATH: process.env.PATH, QUOTED: 'a "b" \\c', LINES: "a\nb", HOME: "/home/a" };
  const { stdout, status } = spawnSync("sh", ["-c", own, "sshpod", ...args], { input, env });
  expect(status).toBe(0);
  return Object.fromEntries(readAnswers(stdout.toString()));
}

const probe = () => run(probeScript, [...place, "session", "nobody-here"]);
const unpack = (from = archive) => run(unpackScript, [...place, "0a1b"], from);
const start = async (base: string) =>
  run(
    startScript,
    ["0a1b", base, "session", "20022", "dev", "ssh-ed25519 AAAA", await sumsOf(archive, "bin")],
    "a key",
  );
const first = () => join(tmp, `sshpod-${uid}`);
const second = () => `${first()}-second`;
const spoilt = (base: string) => readdirSync(base).filter((name) => name.startsWith("spoilt-")).length;

describe("a container", () => {
  it("gets the bundle, which is found again, and an sshd that listens on loopback alone", async () => {
    expect(probe()).not.toHaveProperty("base");
    expect(unpack()).toEqual({ base: first(), placed: "0a1b" });
    expect(readdirSync(first())).toEqual(["bundle-0a1b"]);
    expect(probe()).toMatchObject({ uid: String(uid), base: first(), bundle: "0a1b", unpack: "yes" });
    expect(await start(first())).toEqual({ port: "20022" });
    const session = join(first(), "session");
    expect(readFileSync(join(session, "authorized_keys"), "utf8")).toBe("ssh-ed25519 AAAA\n");
    expect(readFileSync(join(session, "host_key"), "utf8")).toBe("a key");
    const mode = (name: string) => statSync(join(session, name)).mode & 0o777;
    expect(["authorized_keys", "host_key", "config.20022"].map(mode)).toEqual([0o644, 0o600, 0o600]);
    const config = readFileSync(join(session, "config.20022"), "utf8");
    expect(config.split("\n").slice(0, 9)).toEqual([
      "ListenAddress 127.0.0.1",
      "Port 20022",
      `HostKey ${session}/host_key`,
      `PidFile ${session}/pid.20022`,
      `SshdSessionPath ${first()}/bundle-0a1b/bin/sshd-session`,
      `SshdAuthPath ${first()}/bundle-0a1b/bin/sshd-auth`,
      `AuthorizedKeysFile ${session}/authorized_keys`,
      "StrictModes no",
      "PasswordAuthentication no",
    ]);
    expect(config).toContain(' "QUOTED=a \\"b\\" \\\\c"');
    expect(config).not.toMatch(/LINES|HOME=/);
    expect(readFileSync(join(first(), "bundle-0a1b/etc/passwd"), "utf8")).toContain(`\ndev:x:${uid}:`);
  });

  it("without tar gets it through the bundle's busybox", () => {
    const { base, folder = "" } = run(placeBusyboxScript, [...place, "0a1b"], programs.busybox);
    expect([base, folder]).toEqual([first(), expect.stringMatching(/^new-\d+$/)]);
    expect(run(unpackWithBusyboxScript, ["0a1b", first(), folder], archive)).toEqual({ placed: "0a1b" });
    expect(run(unpackWithBusyboxScript, ["0a1b", first(), folder], archive)).toEqual({
      error: `${first()}/${folder} is gone; try again`,
    });
    expect(probe()).toMatchObject({ base: first(), bundle: "0a1b" });
  });

  it("keeps a bundle that is whole", () => {
    unpack();
    writeFileSync(join(first(), "bundle-0a1b/mark"), "");
    unpack();
    expect([existsSync(join(first(), "bundle-0a1b/mark")), spoilt(first())]).toEqual([true, 0]);
  });
});

describe("what somebody else could have changed", () => {
  it.each([
    ["a program that others may write", () => chmodSync(join(first(), "bundle-0a1b/bin/sshd"), 0o775), 0],
    [
      "programs in a folder that others may write",
      () => chmodSync(join(first(), "bundle-0a1b/bin"), 0o757),
      0,
    ],
    ["another program", () => writeFileSync(join(first(), "bundle-0a1b/bin/sshd"), "#!/bin/sh\nexit 1\n"), 1],
    ["no program", () => rmSync(join(first(), "bundle-0a1b/bin/sshd-auth")), 0],
  ])("is not started: %s", async (_what, change, aside) => {
    unpack();
    change();
    expect(await start(first())).toEqual({ changed: "yes" });
    expect([spoilt(first()), existsSync(join(first(), "session"))]).toEqual([aside, false]);
    expect(unpack()).toEqual({ base: first(), placed: "0a1b" });
    expect(spoilt(first())).toBe(1);
    expect(await start(first())).toEqual({ port: "20022" });
  });

  it("is left for a second folder, of a name that only this laptop knows", async () => {
    unpack();
    chmodSync(first(), 0o777);
    expect(await start(first())).toEqual({ changed: "yes" });
    expect(probe()).not.toHaveProperty("base");
    expect(unpack()).toEqual({ base: second(), placed: "0a1b" });
    chmodSync(second(), 0o777);
    expect(unpack()).toEqual({
      error: `${first()} belongs to another user, or another user may write to it`,
    });
  });

  it("in a place that others may rename is not used at all", () => {
    chmodSync(tmp, 0o777);
    const error = `other users can replace what is put into its ${tmp} (owner ${uid}, drwxrwxrwx); make it root's, with mode 1777`;
    expect([probe(), unpack()]).toEqual([{ error }, { error }]);
    expect(readdirSync(tmp)).toEqual([]);
    chmodSync(tmp, 0o1777);
    expect(unpack()).toEqual({ base: first(), placed: "0a1b" });
  });
});

it.each([
  ["what is no archive", () => Buffer.from("no archive"), "unpacking failed; is /tmp full?"],
  [
    "an archive for another machine",
    () => bundle({ ...programs, busybox: "\x7fELF" }),
    "programs in /tmp cannot be run (mounted noexec, or the archive is for another machine)",
  ],
])("says why it cannot place %s", (_what, content, error) => {
  const said = run(unpackScript, [...place, "0a1b"], content());
  expect(said.error).toBe(error.replace("/tmp", tmp));
});
