import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sshTarget } from "../ssh-target.fixture.ts";
import { sshConfig, tooOld } from "./ssh-config.ts";

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
    await sshConfig({ from: file("a.json"), prefix: "x-" });
    expect(await config()).toContain(`Host x-dev1\n`);
    expect((await config()).match(new RegExp(`IdentityFile ${file("key")}`, "g"))).toHaveLength(2);
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
