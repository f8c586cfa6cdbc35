import { execFileSync } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deriveHostKey } from "@drawbridge-iac/drawbridge/src/host/keys/host-key";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identityFiles, loadIdentity, pinHostKey, pinWrites } from "./identity.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-identity-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = { namespace: "team-a", pod: "web-0", podUid: "1-2-3", container: "app", ownTmp: true };

describe("loadIdentity", () => {
  it("makes keys once, readable by their owner only, in a form that OpenSSH reads", async () => {
    const [first, second] = await Promise.all([loadIdentity(folder), loadIdentity(folder)]);
    const third = await loadIdentity(folder);
    expect(new Set([first, second, third].map((made) => made.clientPublicKey)).size).toBe(1);
    expect(new Set([first, second, third].map((made) => made.hostKey(place).publicKey)).size).toBe(1);
    const { clientKey, seed } = identityFiles(folder);
    expect([clientKey, seed].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(statSync(identityFiles(folder).folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(identityFiles(folder).folder).sort()).toEqual([
      "host-key-seed",
      "id_ed25519",
      "id_ed25519.pub",
    ]);
    expect(readFileSync(`${clientKey}.pub`, "utf8")).toBe(`${first.clientPublicKey}\n`);
    expect(first.clientPublicKey).toMatch(/^ssh-ed25519 AAAA\S+ drawbridge$/);
    expect(Buffer.from(readFileSync(seed, "utf8"), "base64").length).toBe(32);
    const read = execFileSync("ssh-keygen", ["-y", "-f", clientKey]).toString();
    expect(read.split(" ").slice(0, 2)).toEqual(first.clientPublicKey.split(" ").slice(0, 2));
  });

  it("gives every container of every pod its own host key and folder", async () => {
    const identity = await loadIdentity(folder);
    const places = [place, { ...place, container: "other" }, { ...place, podUid: "4-5-6" }];
    expect(new Set(places.map((where) => identity.hostKey(where).publicKey)).size).toBe(3);
    const sessions = places.flatMap((where) => ["root", "dev"].map((user) => identity.session(where, user)));
    expect(new Set(sessions).size).toBe(6);
    // The folder's name can only be known with this laptop's secret.
    const folders = places.map((where) => identity.secretSuffix(where));
    expect(new Set(folders).size).toBe(3);
    expect(folders.every((folder) => /^[0-9a-f]{32}$/.test(folder))).toBe(true);
    const others = await loadIdentity(join(folder, "another"));
    expect(others.secretSuffix(place)).not.toBe(folders[0]);
    // No two pods have the same uid, so the name plays no part.
    expect(identity.session({ ...place, pod: "x" }, "root")).toBe(sessions[0]);
  });

  it("derives keys and folders from the same texts in every version", async () => {
    const { folder: keys, seed } = identityFiles(folder);
    mkdirSync(keys, { recursive: true });
    writeFileSync(seed, "a seed that somebody wrote with an editor\n");
    const { clientPublicKey, ...identity } = await loadIdentity(folder);
    const own = clientPublicKey.replace(/ drawbridge$/, "");
    const hash = createHash("sha256").update(`${own} sshpod/1-2-3/app dev`).digest("hex");
    const secret = createHmac("sha256", readFileSync(seed)).update("folder/sshpod/1-2-3/app").digest("hex");
    expect([identity.session(place, "dev"), identity.secretSuffix(place)]).toEqual([
      hash.slice(0, 16),
      secret.slice(0, 32),
    ]);
    expect(identity.hostKey(place)).toEqual(
      deriveHostKey("a seed that somebody wrote with an editor", "sshpod/1-2-3/app"),
    );
  });

  it("says what to do when the folder cannot be written", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(loadIdentity(file)).rejects.toThrow(
      `the keys in ${file}/sshpod cannot be read or made: ENOTDIR: not a directory, mkdir '${file}/sshpod'; make the folder writable, or name another one with DRAWBRIDGE_HOME`,
    );
  });
});

describe("known_hosts", () => {
  it.each([
    ["has none", "", "pod ssh-ed25519 NEW\n"],
    ["has it", "other k\npod ssh-ed25519 NEW\n", "other k\npod ssh-ed25519 NEW\n"],
    ["has another", "é k\npod ssh-ed25519 OLD\nb k\n", "é k\npod ssh-ed25519 NEW\nb k\n"],
    ["has two", "pod ssh-ed25519 OLD\npod ssh-ed25519 ODD\n", "pod ssh-ed25519 NEW\npod ssh-ed25519 NEW\n"],
    ["has one of another length", "pod ssh-rsa OLD\na k\n", "#od ssh-rsa OLD\na k\npod ssh-ed25519 NEW\n"],
    [
      "has that port's alone",
      "[pod]:2222 ssh-ed25519 OLD\n",
      "[pod]:2222 ssh-ed25519 OLD\npod ssh-ed25519 NEW\n",
    ],
    ["ends within a line", "pod ssh-ed2", "#od ssh-ed2\npod ssh-ed25519 NEW\n"],
  ])("has only the pod's key under its name where it %s before", async (_, before, after) => {
    const { folder: keys, knownHosts } = identityFiles(folder);
    mkdirSync(keys, { recursive: true });
    if (before !== "") writeFileSync(knownHosts, before);
    await pinHostKey(folder, "pod", 22, { publicKey: "ssh-ed25519 NEW", privateKey: "" });
    expect(readFileSync(knownHosts, "utf8")).toBe(after);
  });

  it.each(["*", "a,b", "a b", "a\nb", "!a", "@cert-authority", "|1|x", "#a", "", "-x"])(
    "refuses the name %j",
    (name) => {
      expect(() => pinWrites("", name, 22, "ssh-ed25519 NEW")).toThrow(
        `${JSON.stringify(name)} is not a name for ssh`,
      );
    },
  );

  it("refuses a key that would begin another line", () => {
    expect(() => pinWrites("", "a", 22, "ssh-ed25519 NEW\n* ssh-ed25519 OTHER")).toThrow(
      "holds a line break",
    );
  });

  it("is found by ssh-keygen, and its key changes with the pod", async () => {
    const identity = await loadIdentity(folder);
    const file = identityFiles(folder).knownHosts;
    await pinHostKey(folder, "pod--web-0.sshpod", 22, identity.hostKey(place));
    await pinHostKey(folder, "pod--web-0.sshpod", 22, identity.hostKey({ ...place, podUid: "new" }));
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines).toEqual([`pod--web-0.sshpod ${identity.hostKey({ ...place, podUid: "new" }).publicKey}`]);
    const found = execFileSync("ssh-keygen", ["-F", "pod--web-0.sshpod", "-f", file]).toString();
    expect(found).toContain(lines[0] ?? "none");
    const { ino, mode } = statSync(file);
    expect(mode & 0o777).toBe(0o600);
    // The same key again changes nothing.
    await pinHostKey(folder, "pod--web-0.sshpod", 22, identity.hostKey({ ...place, podUid: "new" }));
    expect(statSync(file).ino).toBe(ino);
    await pinHostKey(folder, "pod--api-0.sshpod", 22, identity.hostKey(place));
    expect(readFileSync(file, "utf8").split("\n").length).toBe(3);
  });

  it("keeps the keys of all pods that are first logged in to at the same time, and of those that replace them", async () => {
    const identity = await loadIdentity(folder);
    const { knownHosts } = identityFiles(folder);
    const pods = (uid: string) =>
      Array.from({ length: 40 }, (_, at) => ({
        host: `pod--web-${at}.sshpod`,
        key: identity.hostKey({ ...place, podUid: `${uid}-${at}` }),
      }));
    for (const all of [pods("a"), [...pods("b").slice(0, 20), ...pods("a").slice(20)], pods("c")]) {
      await Promise.all(all.map(({ host, key }) => pinHostKey(folder, host, 22, key)));
      const lines = readFileSync(knownHosts, "utf8").trim().split("\n");
      expect(lines.sort()).toEqual(all.map(({ host, key }) => `${host} ${key.publicKey}`).sort());
    }
  });
});
