import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { languageOf, spelling } from "./plugin-spelling.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-spelling-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the language of a project", () => {
  it.each([
    ["name: a\nruntime: python\n", "python"],
    ['name: a\nruntime: "go"\n', "go"],
    ["runtime:\n  name: python\n  options:\n    toolchain: uv\nname: a\n", "python"],
    ["runtime: { name: dotnet }\n", "dotnet"],
    ["name: a\nconfig:\n  runtime: go\n", ""],
  ])("%j is %j", (text, language) => {
    const inner = join(folder, "src", "deep");
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(folder, "Pulumi.yaml"), text);
    expect(languageOf(folder)).toBe(language);
    expect(languageOf(inner)).toBe(language);
  });

  it("is unknown outside a project", () => {
    expect(languageOf("/")).toBe("");
  });
});

describe("faults", () => {
  const names = new Set([
    "authorizedKeys",
    "hostKey",
    "seed",
    "env",
    "egress",
    "downwardAPI",
    "tokenSha256",
    "from",
  ]);
  const faults = [
    "  - authorizedKeys[0]: is missing; see hostKey.seed",
    '  - env["hostKeys"]: unknown key "seeds"',
    '  - egress: "Allow hostKey" is wrong: egress',
    "  - volumes[0].downwardAPI: no",
    "  - users.tokenSha256: no",
    "  - storage[0].from.name: comes from nowhere",
    "  - (arguments): see authorizedKeys",
  ].join("\n");

  it("are spelled as in Python", () => {
    expect(spelling("python", names)(faults).split("\n")).toEqual([
      "  - authorized_keys[0]: is missing; see host_key.seed",
      '  - env["hostKeys"]: unknown key "seeds"',
      '  - egress: "Allow host_key" is wrong: egress',
      "  - volumes[0].downward_api: no",
      "  - users.token_sha256: no",
      "  - storage[0].from_.name: comes from nowhere",
      "  - (arguments): see authorized_keys",
    ]);
  });

  it.each(["go", "dotnet"])("are spelled as in %s", (language) => {
    expect(spelling(language, names)(faults).split("\n").slice(0, 4)).toEqual([
      "  - AuthorizedKeys[0]: is missing; see HostKey.seed",
      '  - Env["hostKeys"]: unknown key "seeds"',
      '  - Egress: "Allow HostKey" is wrong: egress',
      "  - volumes[0].DownwardAPI: no",
    ]);
  });

  it.each(["", "nodejs", "yaml", "java"])(
    "stay as they are where names are as in the schema: %j",
    (language) => {
      expect(spelling(language, names)(faults)).toBe(faults);
    },
  );
});
