import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { describe, expect, it } from "vitest";
import { CliError } from "../faults.ts";
import { validate } from "./validate.ts";

const folder = temporaryFolder();

const shipped = (stack: string) => `stacks/Pulumi.${stack}.yaml`;
/** Writes a file far from any project. */
async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}
async function said(files: string[], flags = {}): Promise<{ valid: boolean; text: string }> {
  let text = "";
  const valid = await validate(files, flags, (more) => {
    text += more;
  });
  return { valid, text };
}

it("takes the files that ship", async () => {
  const files = ["platform", "team-a", "team-gpu"].map(shipped);
  expect(await said(files)).toEqual({ valid: true, text: files.map((one) => `${one}: valid\n`).join("") });
});

it("accepts every secret if it is encrypted, and none in plain text", async () => {
  const text = await readFile(shipped("team-a"), "utf8");
  const secure = `${text.replace(
    "          enabled: false\n",
    "          credentials: [{ user: alice, password: { secure: AAABAOkF } }]\n",
  )}  drawbridge:hostKeySeed:\n    secure: AAABAOkF\n`;
  expect((await said([await file("Pulumi.team-a.yaml", secure)])).text).toBe(
    `${folder}/Pulumi.team-a.yaml: valid\n`,
  );
  const plain = secure
    .replaceAll("{ secure: AAABAOkF }", "correct-horse-battery")
    .replace(/hostKeySeed:\s+secure:/, "hostKeySeed:");
  const found = await said([await file("Pulumi.plain.yaml", plain)]);
  expect(found.valid).toBe(false);
  expect(found.text.split("\n").filter((line) => line.includes("is a secret in plain text")).length).toBe(2);
  expect(found.text).not.toContain("correct-horse");
});

it("says every fault with path and line, as text and as JSON", async () => {
  const text = (await readFile(shipped("team-a"), "utf8"))
    .replace("namespace: team-a\n", "namespace: Team_A\n")
    .replace("storage: models", "storage: modles");
  const path = await file("Pulumi.bad.yaml", text);
  const line = (part: string) => text.split("\n").findIndex((one) => one.includes(part)) + 1;
  const faults = [
    {
      path: "drawbridge:team.namespace",
      line: line("Team_A"),
      message: '"Team_A" is not a DNS label; use at most 63 lower-case letters, digits and inner hyphens',
    },
    {
      path: "drawbridge:team.containers.dev1.mounts[0].storage",
      line: line("modles"),
      message: '"modles" is not a storage of this file; did you mean "models"?',
    },
  ];
  expect(await said([path])).toEqual({
    valid: false,
    text: [
      `${path}: stack "bad": 2 faults in its arguments, nothing was created:`,
      ...faults.map((fault) => `  - ${fault.path} (line ${fault.line}): ${fault.message}`),
      "",
    ].join("\n"),
  });
  const { valid, text: json } = await said([shipped("platform"), path], { json: true });
  expect(valid).toBe(false);
  expect(JSON.parse(json)).toEqual([
    { file: shipped("platform"), stack: "platform", valid: true, faults: [] },
    { file: path, stack: "bad", valid: false, faults },
  ]);
});

it("says where text is no YAML, and what a file without either part needs", async () => {
  const broken = await file("Pulumi.broken.yaml", "config:\n  drawbridge:team:\n    namespace: [a\n  b: c\n");
  expect((await said([broken])).text).toMatch(/\(YAML\) \(line \d\): /);
  for (const text of ["", "config: {}", "- a", "config:\n  kubernetes:context: x\n"]) {
    expect((await said([await file("Pulumi.none.yaml", text)])).text).toContain(
      "config: needs exactly one of drawbridge:platform and drawbridge:team",
    );
  }
});

it.each([
  [
    "an alias without its anchor",
    "config:\n  drawbridge:platform:\n    people: *nope\n",
    "  - (YAML) (line 3): *nope names no anchor above it; write &nope before the value that it repeats",
  ],
  [
    "an alias inside its own anchor",
    "config:\n  drawbridge:team: &t\n    namespace: a\n    containers: *t\n",
    "  - (YAML) (line 4): *t stands inside the value that &t names, which would never end; name a smaller part",
  ],
  [
    "a merge key",
    "config:\n  drawbridge:platform:\n    people: &p {}\n    <<: *p\n",
    "  - (YAML) (line 4): << is not taken in a stack's file; write the keys out, or put what containers share into containerDefaults",
  ],
  [
    "several documents",
    "config:\n  drawbridge:platform: {}\n---\nconfig: {}\n",
    "  - (YAML) (line 3): has several YAML documents; keep one",
  ],
])("says on its line what is wrong with %s, beside the other files", async (_, text, fault) => {
  const odd = await file("Pulumi.odd.yaml", text);
  expect((await said([odd, shipped("platform")])).text).toBe(
    [
      `${odd}: stack "odd": 1 fault in its arguments, nothing was created:`,
      fault,
      `${shipped("platform")}: valid`,
      "",
    ].join("\n"),
  );
});

it("takes a value that hundreds of containers repeat", async () => {
  const text = await readFile(shipped("team-a"), "utf8");
  const repeated = `${text}  other:first: &key [ssh-ed25519]\n  other:more: [${"*key, ".repeat(400)}]\n`;
  expect(await said([await file("Pulumi.team-a.yaml", repeated)])).toEqual({
    valid: true,
    text: `${folder}/Pulumi.team-a.yaml: valid\n`,
  });
});

describe("a file that cannot be walked", () => {
  /** Each value holds the one before it `times` times, so 1.4 kB are 10^20 values. */
  const nested = (depth: number, times: number) =>
    Array.from({ length: depth }, (_, index) => {
      const before = index === 0 ? "x" : `*a${index - 1}`;
      return `  a${index}: &a${index} [${Array(times).fill(before).join(", ")}]\n`;
    }).join("");
  const asMaps = Array.from({ length: 60 }, (_, index) => {
    const before = index === 0 ? "x" : `*a${index - 1}`;
    return `  a${index}: &a${index} { a: ${before}, b: ${before} }\n`;
  }).join("");
  const tooDeep = "is nested more than 100 levels deep";
  const tooMany = "holds more than 100000 values, each counted wherever an alias repeats it";

  it.each([
    ["lists of lists", nested(20, 10), tooMany],
    ["maps of maps", asMaps, tooMany],
    ["one long list often", `  a: &a [${"x, ".repeat(2000)}]\n  b: [${"*a, ".repeat(60)}]\n`, tooMany],
    ["very many of them", `  a: &a x\n  b: [${"*a, ".repeat(200_000)}]\n`, "holds more than 10000 aliases"],
    ["lists within lists", `  a: ${"[".repeat(200)}${"]".repeat(200)}\n`, tooDeep],
    ["very many of them", `  a: ${"[".repeat(50_000)}${"]".repeat(50_000)}\n`, tooDeep],
    ["lists on one line", `  a:\n    ${"- ".repeat(5000)}x\n`, tooDeep],
    [
      "maps below maps",
      Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth + 2)}a:\n`).join(""),
      tooDeep,
    ],
    [
      "a value that an alias puts below",
      `  a: &a ${"[".repeat(60)}${"]".repeat(60)}\n  b: ${"[".repeat(60)}*a${"]".repeat(60)}\n`,
      tooDeep,
    ],
  ])("is one fault: %s", async (_, text, fault) => {
    const path = await file("Pulumi.bomb.yaml", `config:\n  drawbridge:team: {}\n${text}`);
    const { valid, text: report } = await said([path]);
    expect({ valid, report }).toEqual({ valid: false, report: expect.stringContaining(`(YAML): ${fault}`) });
    expect(report.match(/^ {2}- /gm)).toHaveLength(1);
  });
});

it("names a misspelt part of the configuration", async () => {
  const path = await file("Pulumi.teams.yaml", "config:\n  drawbridge:teams:\n    namespace: a\n");
  expect((await said([path])).text).toContain(
    '  - drawbridge:teams (line 2): is not a key of drawbridge; did you mean "drawbridge:team"?',
  );
});

it("refuses what it cannot read, with exit code 2", async () => {
  const missing = await validate([join(folder, "none")], {}, () => undefined).catch(
    (error: unknown) => error,
  );
  expect(missing).toBeInstanceOf(CliError);
  expect(missing).toMatchObject({ exitCode: 2 });
});

it("refuses a container that nobody can get into, and takes it with any one way", async () => {
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB alice";
  const text = (team: string, container: string) =>
    `config:
  drawbridge:team:
    namespace: a
${team}    containers:
      dev1: { image: "a/b:1", authorizedKeys: ["${key}"]${container} }
`;
  expect((await said([await file("Pulumi.none.yaml", text("", ""))])).text).toContain(
    "  - drawbridge:team.containers.dev1 (line 5): has no way in; set gateway or members.sshpod of the team, or access.gateway, access.frp or access.sshpod of this container\n",
  );
  const ways: [string, string][] = [
    ["    gateway: { name: gw, namespace: gw, domain: dev.example.com, plainPort: 80 }\n", ""],
    ["    members: { sshpod: { groups: [a] } }\n", ""],
    ["", ", access: { sshpod: { users: [alice] } }"],
    ["", ", ssh: { mode: none }"],
  ];
  for (const [team, container] of ways) {
    expect((await said([await file("Pulumi.way.yaml", text(team, container))])).text).not.toContain(
      "has no way in",
    );
  }
});

it("repeats nothing of a text that is no YAML: it may be a secret that is not encrypted yet", async () => {
  const secret = "S3cretS3cretS3cret";
  const broken = [
    `seed: "${secret}`,
    `seed: ${secret}: x`,
    `seed: 'x' ${secret}`,
    `seed: |x ${secret}`,
    `seed: @${secret}`,
    `seed: "\\U${secret}"`,
    `? a\n: b\n${secret}`,
    `{a: 1}}${secret}`,
    `- a\n${secret}`,
    `%${secret}\na: b`,
  ];
  for (const text of broken) {
    const found = await said([await file("Pulumi.broken.yaml", text)]);
    expect(found.text).toMatch(/\(YAML\) \(line \d+\): [A-Z]\w+ /m);
    expect(found.text).not.toMatch(/S3cret/);
  }
});
