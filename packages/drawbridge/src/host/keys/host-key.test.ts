import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../kit/temporary-folder.fixture.ts";
import { deriveHostKey, readHostKey } from "./host-key.ts";

const seed = "correct horse battery staple correct horse";
const folder = temporaryFolder();

/** The public key that the real ssh-keygen reads out of a private key. */
function publicOf(privateKey: string): string {
  const file = join(folder, "key");
  writeFileSync(file, privateKey, { mode: 0o600 });
  return execFileSync("ssh-keygen", ["-y", "-f", file], { encoding: "utf8" })
    .split(" ")
    .slice(0, 2)
    .join(" ")
    .trim();
}

/** A key made by the real ssh-keygen. */
function generated(type: string, extra: string[] = []): { privateKey: string; publicKey: string } {
  const file = join(folder, `made-${type}-${extra.length}`);
  execFileSync("ssh-keygen", ["-q", "-t", type, "-N", "", "-C", "x", "-f", file, ...extra]);
  const publicKey = readFileSync(`${file}.pub`, "utf8").split(" ").slice(0, 2).join(" ");
  return { privateKey: readFileSync(file, "utf8"), publicKey };
}

describe("deriveHostKey", () => {
  it("gives the same key for the same seed and identity, in every release", () => {
    expect(deriveHostKey(seed, "team-a/dev1").publicKey).toBe(
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN",
    );
  });

  it("gives another key for another identity or seed", () => {
    const keys = [
      deriveHostKey(seed, "team-a/dev1"),
      deriveHostKey(seed, "team-a/dev2"),
      deriveHostKey(`${seed}!`, "team-a/dev1"),
    ];
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(3);
  });

  it.each(["a/b", "team-a/dev1", "team-a/dev1#2", "ü/x"])("is read by ssh-keygen (%s)", (identity) => {
    const key = deriveHostKey(seed, identity);
    expect(publicOf(key.privateKey)).toBe(key.publicKey);
  });

  it("refuses a short seed without repeating it", () => {
    expect(() => deriveHostKey("hunter2", "a/b")).toThrow(
      "the host key seed is too short; use at least 32 characters, for example from: openssl rand -base64 32",
    );
  });
});

describe("readHostKey", () => {
  it("reads a key that ssh-keygen made", () => {
    const made = generated("ed25519");
    const read = readHostKey(made.privateKey);
    expect(read.publicKey).toBe(made.publicKey);
    expect(publicOf(read.privateKey)).toBe(made.publicKey);
  });

  it("reads PKCS8, and reads what it wrote", () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const read = readHostKey(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
    expect(publicOf(read.privateKey)).toBe(read.publicKey);
    expect(readHostKey(read.privateKey).publicKey).toBe(read.publicKey);
  });

  it("refuses other types, encrypted keys, cut ones and public ones", () => {
    const encrypted = join(folder, "encrypted");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "word", "-f", encrypted]);
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const good = generated("ed25519", ["-a", "1"]);
    const faulty = [
      readFileSync(encrypted, "utf8"),
      generated("ecdsa").privateKey,
      rsa.export({ format: "pem", type: "pkcs8" }).toString(),
      good.privateKey.slice(0, 200),
      good.publicKey,
      "",
    ];
    const refusal =
      "the host key is not an unencrypted ed25519 private key; make one with: ssh-keygen -t ed25519 -N '' -f host_key";
    for (const text of faulty) expect(() => readHostKey(text)).toThrow(new Error(refusal));
  });
});
