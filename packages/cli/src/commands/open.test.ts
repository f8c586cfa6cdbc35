import { expect, it } from "vitest";
import { chooseEditor, openCommand } from "./open.ts";

const target = { home: "/home/jovyan", user: "jovyan" };
const all = () => true;
const none = () => false;

it("takes the editor that was asked for, else the first that is there", () => {
  expect(chooseEditor({ zed: true }, none)).toBe("zed");
  expect(chooseEditor({}, (program) => program === "cursor" || program === "zed")).toBe("cursor");
  expect(() => chooseEditor({}, none)).toThrow(
    "no editor is on PATH (code, cursor, zed); name yours: --vscode, --cursor, --zed or --jetbrains",
  );
  expect(() => chooseEditor({ zed: true, vscode: true }, all)).toThrow(
    "choose one editor, not --vscode and --zed",
  );
});

it.each([
  ["vscode", ["code", "--remote", "ssh-remote+dev1", "/home/jovyan"]],
  ["cursor", ["cursor", "--remote", "ssh-remote+dev1", "/home/jovyan"]],
  ["zed", ["zed", "ssh://dev1/home/jovyan"]],
] as const)("starts %s by its own program", (editor, command) => {
  expect(openCommand(editor, "dev1", target, all, "linux")).toEqual(command);
});

it("opens a link where the program is not on PATH, and for JetBrains always", () => {
  const link = "vscode://vscode-remote/ssh-remote+dev1/home/jovyan";
  expect(openCommand("vscode", "dev1", target, none, "linux")).toEqual(["xdg-open", link]);
  expect(openCommand("vscode", "dev1", target, none, "macos")).toEqual(["open", link]);
  expect(openCommand("vscode", "dev1", target, none, "windows")).toEqual([
    "rundll32",
    "url.dll,FileProtocolHandler",
    link,
  ]);
  expect(openCommand("jetbrains", "dev1", target, all, "linux")[1]).toMatch(
    /^jetbrains-gateway:\/\/connect#type=ssh&host=dev1&/,
  );
});
