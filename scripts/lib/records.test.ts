import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { writtenSchema } from "./plugin-schema.ts";
import {
  interfaceFaults,
  interfaceNames,
  recordedNames,
  recordedSchema,
  schemaFaults,
  schemaLines,
} from "./records.ts";

it("knows every argument, and the changelog every one that is gone", () => {
  const names = interfaceNames();
  expect(names).toContain("DevContainerArgs.image");
  // Of an interface that it extends.
  expect(names).toContain("DevContainerArgs.pod");
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
    "A.young is not in test/recorded/interface.json; run npm run generate",
  ]);
  expect(interfaceFaults([...before, "A.young"], after, "- `A.old` is called `A.young`")).toEqual([]);
  // The name of another one is not enough.
  expect(interfaceFaults([...before, "A.young"], after, "- `A.older` is gone").length).toBe(1);
});

it("knows the whole schema, and the changelog what broke it", () => {
  const lines = schemaLines(writtenSchema());
  expect(lines).toContain("DevContainer.image: string, required");
  expect(lines).toContain("DevContainer.authorizedKeys: array of string");
  expect(lines).toContain("DevContainerSsh.port: integer");
  expect(lines).toContain("DevContainer.outputs.status: DevContainerStatus, required");
  expect(lines).toContain('SshMode.injected: "injected"');
  expect(schemaFaults(recordedSchema(), lines, readFileSync("CHANGELOG.md", "utf8"))).toEqual([]);
});

const breaks = (fault: string) =>
  `${fault}, which breaks programs in other languages; say so in CHANGELOG.md, with this name`;
const recorded = ["A.kept: string", "A.size: plain integer", "B.one: string"];

it.each([
  ["one that is gone", ["A.kept: string", "B.one: string"], [breaks("`A.size` is gone")]],
  [
    "one of another type",
    ["A.kept: string", "A.size: integer", "B.one: string"],
    [
      breaks('`A.size` was "A.size: plain integer" and is "A.size: integer"'),
      "A.size is not in test/recorded/schema.json; run npm run generate",
    ],
  ],
  [
    "one more that must be given",
    [...recorded, "A.more: string, required"],
    [
      breaks("`A.more` is new and required"),
      "A.more is not in test/recorded/schema.json; run npm run generate",
    ],
  ],
] as const)("fails for %s, until the changelog has its name", (_, after, faults) => {
  expect(schemaFaults(recorded, after, "")).toEqual(faults);
  const changelog = "- `A.size` and `A.more` are other ones";
  expect(schemaFaults(recorded, after, changelog)).toEqual(
    faults.filter((fault) => fault.includes("npm run generate")),
  );
  // The name of another one is not enough.
  expect(schemaFaults(recorded, after, "- `A.sizes`, `A.mores`")).toEqual(faults);
});

it("takes what breaks nobody: an argument that may be left out, a type of its own, an output", () => {
  const after = [
    ...recorded,
    "A.more: string",
    "C.first: string, required",
    "A.outputs.more: string, required",
  ];
  expect(schemaFaults(recorded, after, "")).toEqual(
    ["A.more", "C.first", "A.outputs.more"].map(
      (name) => `${name} is not in test/recorded/schema.json; run npm run generate`,
    ),
  );
});
