import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { forShell } from "../self.ts";
import { hold } from "./idle.ts";

it.each([["plain"], ["two words"], ["it's"], ['$HOME; rm -rf `x` "y" \\'], [""], ["*"]])(
  "gives %j to a shell as one word",
  (word) => {
    const outcome = spawnSync("sh", ["-c", `printf %s ${forShell(word)}`], { encoding: "utf8" });
    expect(outcome.stdout).toBe(word);
  },
);

it("asks for a time or a command", () => {
  expect(() => hold("dev1", [])).toThrow("say how long to hold it (8h), or for which command (-- make all)");
});

it.each(["8H", "8", "1h30m", "1.5h", "2w", "90min"])(
  "runs no command called %s, which was meant as a time",
  (time) => {
    expect(() => hold("dev1", [time])).toThrow(`"${time}" is not a time; write it like 90m, 8h or 2d`);
  },
);
