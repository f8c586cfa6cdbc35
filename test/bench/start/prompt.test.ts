import { expect, it } from "vitest";
import { isPrompt } from "./prompt.ts";

it.each([
  ["jovyan@dev1-0:~$ ", true],
  ["\u001b[?2004h\u001b]0;dev1\u0007\u001b[01;32mjovyan@dev1\u001b[00m:~$ ", true],
  ["Welcome to dev1\r\n# ", true],
  ["Welcome to dev1, 100% free\r\n", false],
  ["", false],
])("a terminal that shows %j has a prompt: %s", (screen, expected) => {
  expect(isPrompt(screen)).toBe(expected);
});
