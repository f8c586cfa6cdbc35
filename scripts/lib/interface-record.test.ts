import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { interfaceFaults, interfaceNames, recordedNames } from "./interface-record.ts";

it("knows every argument, and the changelog every one that is gone", () => {
  const names = interfaceNames();
  expect(names).toContain("DevContainerArgs.image");
  // Of an interface that it extends.
  expect(names).toContain("DevContainerArgs.podLabels");
  expect(names).toContain("drawbridge:team.containers");
  expect(interfaceFaults(recordedNames(), names, readFileSync("CHANGELOG.md", "utf8"))).toEqual([]);
});

it("fails for an argument that is renamed, until the changelog has its name", () => {
  const [before, after] = [
    ["A.old", "A.kept"],
    ["A.kept", "A.young"],
  ];
  expect(interfaceFaults(before, after, "")).toEqual([
    "`A.old` is renamed or removed; say so in CHANGELOG.md, with this name and what to write instead",
    "A.young is not in test/recorded/interface.json; run npm run docs",
  ]);
  expect(interfaceFaults([...before, "A.young"], after, "- `A.old` is called `A.young`")).toEqual([]);
  // The name of another one is not enough.
  expect(interfaceFaults([...before, "A.young"], after, "- `A.older` is gone").length).toBe(1);
});
