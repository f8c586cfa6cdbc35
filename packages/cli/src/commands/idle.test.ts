import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { farewell } from "../../../programs/src/idle/activate/ssh-wire.ts";
import { faultIn, forShell, hold } from "./idle.ts";

it.each([["plain"], ["two words"], ["it's"], ['$HOME; rm -rf `x` "y" \\'], [""], ["*"]])(
  "gives %j to a shell as one word",
  (word) => {
    const outcome = spawnSync("sh", ["-c", `printf %s ${forShell(word)}`], { encoding: "utf8" });
    expect(outcome.stdout).toBe(word);
  },
);

it("reads the activator's reason, and no reason in the greeting of sshd", () => {
  expect(faultIn(farewell("dev1: it did not start within 5 s").toString("latin1"))).toBe(
    "dev1: it did not start within 5 s",
  );
  expect(faultIn("SSH-2.0-OpenSSH_10.0\r\n")).toBeUndefined();
  expect(faultIn("SSH-2.0-drawbridge-of-another-kind\r\n")).toBeUndefined();
  for (const broken of ["", "HTTP/1.1 503\r\n", "SSH-2.0-drawbridge\r\n\0\0"]) {
    expect(faultIn(broken)).toMatch(/^the connection was closed before sshd said anything/);
  }
});

it("shows no control characters of a reason", () => {
  expect(faultIn(farewell("dev1: \x1b[2Jgone").toString("latin1"))).not.toContain("\x1b");
});

it("asks for a time or a command", () => {
  expect(() => hold("dev1", [])).toThrow("say for how long, as 8h, or which command, as -- make all");
});
