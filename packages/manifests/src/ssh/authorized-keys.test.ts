import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { duplicateKeys, fingerprint, parseAuthorizedKey, renderAuthorizedKeys } from "./authorized-keys.ts";

const ed25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKSJUBAXxKZBSdSAfMuYRLkpUPF6MzhAfOe7TXFnsUIW";

let folder = "";
let made = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-keys-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A public key line made by the real ssh-keygen, and its fingerprint as ssh-keygen shows it. */
function generated(type: string, bits?: string) {
  made += 1;
  const file = join(folder, `key-${made}`);
  const size = bits === undefined ? [] : ["-b", bits];
  execFileSync("ssh-keygen", ["-q", "-t", type, ...size, "-N", "", "-C", "a b@c", "-f", file]);
  const shown = execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" });
  return { line: readFileSync(`${file}.pub`, "utf8"), fingerprint: shown.split(" ")[1] };
}

const fault = (line: string): string => {
  try {
    parseAuthorizedKey(line);
    return "none";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("parseAuthorizedKey", () => {
  it.each<[string, string?]>([
    ["ed25519"],
    ["ecdsa", "256"],
    ["ecdsa", "384"],
    ["ecdsa", "521"],
    ["rsa", "2048"],
    ["rsa", "3072"],
  ])("takes what ssh-keygen makes: %s %s", (type, bits) => {
    const made = generated(type, bits);
    const key = parseAuthorizedKey(made.line);
    expect(key.comment).toBe("a b@c");
    expect(fingerprint(key)).toBe(made.fingerprint);
  });

  it("takes options that only take rights away", () => {
    const options =
      'restrict,pty,from="10.0.0.0/8,!10.1.0.0/16",expiry-time="20300101",permitopen="localhost:8080"';
    const key = parseAuthorizedKey(`${options} ${ed25519} alice smith`);
    expect(key).toEqual({
      options: [
        "restrict",
        "pty",
        'from="10.0.0.0/8,!10.1.0.0/16"',
        'expiry-time="20300101"',
        'permitopen="localhost:8080"',
      ],
      type: "ssh-ed25519",
      blob: ed25519.split(" ")[1],
      comment: "alice smith",
    });
  });

  it.each([
    [
      "a private key",
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----",
      "is a private key; give the public one, the line in the file that ends in .pub",
    ],
    ["nothing", "  ", "is empty or a comment; give one public key a line"],
    ["a comment", "# alice", "is empty or a comment; give one public key a line"],
    ["two lines", `${ed25519}\n${ed25519}`, "holds a line break; give one public key an entry"],
    [
      "base64 alone",
      ed25519.split(" ")[1] as string,
      /^does not start with a key type; allowed: ssh-ed25519, /,
    ],
    ["a DSA key", "ssh-dss AAAAB3NzaC1kc3M= x", /^does not start with a key type/],
    ["a forced command", `command="rm -rf /" ${ed25519}`, "has options that are not allowed here: command"],
    [
      "an environment",
      `environment="LD_PRELOAD=x",pty ${ed25519}`,
      "has options that are not allowed here: environment",
    ],
    ["a tunnel", `tunnel="0",agent-forwarding ${ed25519}`, "has options that are not allowed here: tunnel"],
    [
      "a cut key",
      ed25519.slice(0, -8),
      "has a key that is cut off or of another type than it says; copy the whole line of the .pub file",
    ],
    [
      "another type",
      ed25519.replace("ssh-ed25519", "ssh-rsa"),
      "has a key that is cut off or of another type than it says; copy the whole line of the .pub file",
    ],
    [
      "no base64",
      "ssh-ed25519 hello!world",
      "has a key that is not base64; copy the whole line of the .pub file",
    ],
    ["no key", "ssh-ed25519", "has a key that is not base64; copy the whole line of the .pub file"],
  ])("refuses %s", (_, line, message) => {
    if (typeof message === "string") expect(fault(line)).toBe(message);
    else expect(fault(line)).toMatch(message);
  });

  it("refuses short RSA keys", () => {
    const n = Buffer.alloc(129, 0xff);
    n[0] = 0;
    const field = (bytes: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return Buffer.concat([length, bytes]);
    };
    const blob = Buffer.concat([field(Buffer.from("ssh-rsa")), field(Buffer.from([1, 0, 1])), field(n)]);
    expect(fault(`ssh-rsa ${blob.toString("base64")}`)).toBe(
      "has an RSA key of 1024 bits; use ed25519, or RSA with at least 2048 bits",
    );
  });

  it("never repeats key material", () => {
    expect(fault(ed25519.slice(0, -8))).not.toContain("AAAAC3");
  });
});

describe("the file", () => {
  it("finds a key given twice, whatever its comment and options", () => {
    const other = generated("ed25519", "256").line;
    expect(duplicateKeys([`${ed25519} a`, other, `restrict ${ed25519} b`, "broken", undefined])).toEqual([
      [0, 2],
    ]);
  });

  it("is read by ssh-keygen as it was given", () => {
    const lines = [`${ed25519} alice`, ` ${generated("ecdsa", "384").line}`];
    const file = join(folder, "authorized_keys");
    writeFileSync(file, renderAuthorizedKeys(lines));
    const shown = execFileSync("ssh-keygen", ["-l", "-f", file], { encoding: "utf8" }).trim().split("\n");
    expect(shown.map((line) => line.split(" ")[1])).toEqual(
      lines.map((line) => fingerprint(parseAuthorizedKey(line))),
    );
  });
});
