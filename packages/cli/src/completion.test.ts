import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { completion } from "./completion.ts";

const commands = [
  { name: "list", options: ["--names", "--denied", "--json"] },
  { name: "connect", options: [] },
  { name: "doctor", options: ["--way", "--json"] },
];

/** What bash would offer after these words, the last of which is being typed. */
function offered(...words: string[]): string[] {
  const script = `drawbridge() { echo dev1; echo dev2; }
${completion("bash", commands)}
COMP_WORDS=(drawbridge "$@"); COMP_CWORD=$#
_drawbridge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script, "bash", ...words])
    .toString()
    .trim()
    .split("\n");
}

it("offers commands, a command's options, and names", () => {
  expect(offered("")).toEqual(["list", "connect", "doctor"]);
  expect(offered("do")).toEqual(["doctor"]);
  expect(offered("list", "--")).toEqual(["--names", "--denied", "--json"]);
  expect(offered("list", "--denied", "")).toEqual(["dev1", "dev2"]);
  expect(offered("list", "--names", "--j")).toEqual(["--json"]);
  expect(offered("doctor", "--w")).toEqual(["--way"]);
  expect(offered("doctor", "dev1", "--j")).toEqual(["--json"]);
  expect(offered("connect", "")).toEqual(["dev1", "dev2"]);
});

it.each(["bash", "zsh", "fish", "powershell", "pwsh"])("has every command and option for %s", (shell) => {
  const script = completion(shell, commands);
  for (const word of ["list", "connect", "doctor", "names", "way", "json"]) expect(script).toContain(word);
});

it("says which shells it knows", () => {
  expect(() => completion("tcsh", commands)).toThrow(
    'there is no completion for "tcsh"; choose one of bash, zsh, fish, powershell',
  );
});
