import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { otherHost } from "./user-known-hosts.ts";

const theirs = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ";
const ours = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB";

/** The same text as ssh-keygen hashes it. */
function hashed(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-known-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "known_hosts");
  writeFileSync(file, text);
  execFileSync("ssh-keygen", ["-H", "-f", file], { stdio: "ignore" });
  return readFileSync(file, "utf8");
}

describe.each([
  ["plain", (text: string) => text],
  ["hashed", hashed],
])("a %s known_hosts", (_, written) => {
  const text = () => written(`other ${theirs}\nprod,192.0.2.7 ${theirs}\n`);

  it("has a host of that name, with another key", () => {
    for (const alias of ["prod", "Prod", "192.0.2.7"])
      expect(otherHost(text(), [{ alias, hostKeys: [ours] }])).toMatchObject({ alias });
  });

  it("has none, or just this one", () => {
    for (const alias of ["pro", "prod2", "x", "prod.frp"])
      expect(otherHost(text(), [{ alias, hostKeys: [ours] }])).toBe(undefined);
    expect(otherHost(text(), [{ alias: "prod", hostKeys: [ours, theirs] }])).toBe(undefined);
  });
});

it("says on which line", () => {
  const text = `# prod\n\n@revoked old ${theirs}\r\nprod ${theirs} a comment\r\n[prod]:2222 ${ours}\n`;
  expect(otherHost(text, [{ alias: "prod", hostKeys: [ours] }])).toMatchObject({ alias: "prod", line: 4 });
  expect(otherHost("", [{ alias: "prod", hostKeys: [ours] }])).toBe(undefined);
});
