import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { whatIsWrong } from "../../kit/faults.fixture.ts";
import { temporaryFolder } from "../../kit/temporary-folder.fixture.ts";
import { duplicateKeys, fingerprint, parseAuthorizedKey, renderAuthorizedKeys } from "./authorized-keys.ts";

const ed25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKSJUBAXxKZBSdSAfMuYRLkpUPF6MzhAfOe7TXFnsUIW";

const folder = temporaryFolder();
let made = 0;

/** A public key line made by the real ssh-keygen, and its fingerprint as ssh-keygen shows it. */
function generated(type: string, bits?: string) {
  made += 1;
  const file = join(folder, `key-${made}`);
  const size = bits === undefined ? [] : ["-b", bits];
  execFileSync("ssh-keygen", ["-q", "-t", type, ...size, "-N", "", "-C", "a b@c", "-f", file]);
  const shown = execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" });
  return { line: readFileSync(`${file}.pub`, "utf8"), fingerprint: shown.split(" ")[1] };
}

const thrown = (line: string): Error | undefined => {
  try {
    parseAuthorizedKey(line);
    return undefined;
  } catch (error) {
    return error as Error;
  }
};
const notAllowed = (option: string) => `has options that are not allowed here: ${option}`;
const fault = (line: string) => {
  const error = thrown(line);
  return error && whatIsWrong(error);
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
    const options = 'restrict,pty,expiry-time="20300101",permitopen="localhost:8080"';
    const key = parseAuthorizedKey(`${options} ${ed25519} alice smith`);
    expect(key).toEqual({
      options: ["restrict", "pty", 'expiry-time="20300101"', 'permitopen="localhost:8080"'],
      type: "ssh-ed25519",
      blob: ed25519.split(" ")[1],
      comment: "alice smith",
    });
  });

  it.each([
    [
      "a private key",
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----",
      "is a private key",
    ],
    ["nothing", "  ", "is empty or a comment"],
    ["a comment", "# alice", "is empty or a comment"],
    ["two lines", `${ed25519}\n${ed25519}`, "has a line break"],
    ["base64 alone", ed25519.split(" ")[1] as string, "does not start with a key type"],
    ["a DSA key", "ssh-dss AAAAB3NzaC1kc3M= x", "does not start with a key type"],
    ["an option without its value", `command ${ed25519}`, notAllowed("command")],
    ["a forced command", `command="rm -rf /" ${ed25519}`, notAllowed("command")],
    [
      "an address, which would be the gateway's",
      `from="10.0.0.0/8" ${ed25519}`,
      "has the option from, which sshd would compare with the gateway's address",
    ],
    ["an environment", `environment="LD_PRELOAD=x",pty ${ed25519}`, notAllowed("environment")],
    ["a tunnel", `tunnel="0",agent-forwarding ${ed25519}`, notAllowed("tunnel")],
    ["a cut key", ed25519.slice(0, -8), "has a key that is cut off or of another type than it says"],
    [
      "another type",
      ed25519.replace("ssh-ed25519", "ssh-rsa"),
      "has a key that is cut off or of another type than it says",
    ],
    ["no base64", "ssh-ed25519 hello!world", "has a key that is not base64"],
    ["no key", "ssh-ed25519", "has a key that is not base64"],
  ])("refuses %s", (_, line, what) => {
    expect(fault(line)).toBe(what);
  });

  it("refuses what sshd does not read as a key: other spaces, lone quotes, lost or surplus padding", () => {
    const { line } = generated("ecdsa", "256");
    const [type = "", blob = "", comment = ""] = line.trim().split(" ");
    const file = join(folder, "odd");
    /** Whether sshd would: ssh-keygen reads a line as sshd does. */
    const isRead = (text: string) => {
      writeFileSync(file, renderAuthorizedKeys([text]));
      return spawnSync("ssh-keygen", ["-l", "-f", file]).status === 0;
    };
    const spaces = ["\u00a0", "\u2003", "\u2028", "\v", "\f"];
    const refused = [
      ...spaces.map((space) => [`${type}${space}${blob} ${comment}`, "does not start with a key type"]),
      ...spaces.map((space) => [`${type} ${blob}${space}${comment}`, "has a key that is not base64"]),
      [`restrict" ${type} ${blob}`, "does not start with a key type"],
      [`" ${type} ${blob}`, notAllowed('"')],
      [`${type} ${blob.replace(/=+$/, "")} ${comment}`, "has a key that is not base64"],
      [`${type} ${blob}= ${comment}`, "has a key that is not base64"],
    ] as const;
    expect(blob).toMatch(/=$/);
    for (const [text = "", what] of refused)
      expect([text, fault(text), isRead(text)]).toEqual([text, what, false]);
    for (const text of [`${type}\t${blob}\t${comment}`, `restrict ${type} \t${blob} a "quoted word`]) {
      expect([text, fault(text), isRead(text)]).toEqual([text, undefined, true]);
    }
  });

  it("refuses an empty option, for which sshd would skip the line", () => {
    const key = ed25519.trim();
    for (const options of ["restrict,,pty", "restrict,", ",restrict", 'principals="a,b",'])
      expect([options, fault(`${options} ${key}`)]).toEqual([options, notAllowed("(empty)")]);
    for (const options of ['principals="a,b",restrict', 'principals="a,,b,",restrict'])
      expect([options, fault(`${options} ${key}`)]).toEqual([options, undefined]);
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
    expect(fault(`ssh-rsa ${blob.toString("base64")}`)).toBe("has an RSA key of 1024 bits");
  });

  it("never repeats key material", () => {
    const error = thrown(ed25519.slice(0, -8));
    expect(error?.message).toMatch(/^has a key that is cut off /);
    expect(JSON.stringify([error?.message, error])).not.toContain("AAAAC3");
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
