/** The stacks that ship, under the real engine, with no cluster reachable. */
import { readFile, writeFile } from "node:fs/promises";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validate } from "../../packages/cli/src/commands/validate.ts";
import { openStorage, ProjectCopy, setPaths, stackSecrets } from "../../scripts/lib/stacks/stacks.ts";

let project: ProjectCopy;

beforeAll(async () => {
  project = await ProjectCopy.create({ cluster: false });
});
afterAll(() => project.remove());

/** Everything that a preview prints, with its diffs. */
async function shown(stack: Stack): Promise<string> {
  const output: string[] = [];
  await stack.preview({ onOutput: (text) => output.push(text), diff: true });
  return output.join("");
}

/** What was to be created, by kind. */
async function kinds(stack: Stack): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  await stack.preview({
    onEvent: ({ resourcePreEvent }) => {
      const type = resourcePreEvent?.metadata.type ?? "";
      const kind = type.startsWith("drawbridge:") ? type.split(":")[2] : undefined;
      if (kind !== undefined) counted[kind] = (counted[kind] ?? 0) + 1;
    },
  });
  return counted;
}

function expectNoSecrets(text: string): void {
  for (const secret of Object.values(stackSecrets)) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/PRIVATE KEY/);
}

describe("the stacks' previews need no cluster and show no secret", () => {
  it("platform", async () => {
    const stack = await project.open("platform");
    await project.setSecrets(stack);
    expect(await kinds(stack)).toEqual({ SshGateway: 1, FrpServer: 1, StorageProxy: 1 });
    expectNoSecrets(await shown(stack));
  });

  it("team-a, with the platform in plain values", async () => {
    const stack = await project.open("team-a");
    await project.setSecrets(stack);
    expect(await kinds(stack)).toEqual({ Team: 1, TeamMembers: 1, DevContainer: 1, StorageAccessor: 1 });
    await openStorage(stack);
    expect(await kinds(stack)).toEqual({ Team: 1, TeamMembers: 1, DevContainer: 1, StorageAccessor: 1 });
    expectNoSecrets(await shown(stack));
    expectNoSecrets(await readFile(project.fileOf("team-a"), "utf8"));
  });

  it("team-gpu, with the platform's outputs", async () => {
    // What a platform gives out, without a platform.
    const platform = await project.open("platform", async () => ({
      gateway: {
        name: "gw",
        namespace: "gw",
        domain: "dev.example.com",
        plainPort: 80,
        address: "192.0.2.7",
      },
    }));
    await platform.up();
    const stack = await project.open("team-gpu");
    await project.setSecrets(stack);
    expect(await kinds(stack)).toEqual({ Team: 1, DevContainer: 2, StorageAccessor: 2 });
    expect(await shown(stack)).toMatch(/HostName\s+trainer\.team-gpu\.dev\.example\.com/);
  });
});

describe("a file with faults", () => {
  /** The message of a preview that fails. */
  async function failure(stack: Stack): Promise<string> {
    const output: string[] = [];
    await expect(stack.preview({ onOutput: (text) => output.push(text) })).rejects.toThrow();
    return output.join("");
  }

  it("says all of them at once, with path and line", async () => {
    const stack = await project.open("team-a");
    await project.setSecrets(stack);
    const file = project.fileOf("team-a");
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text
        .replace("namespace: team-a\n", "namespace: Team_A\n    qouta: {}\n")
        .replace("storage: models", "storage: modles")
        // Pulumi has written the file anew, with its own spaces.
        .replace(/home: \{ ?size: 20Gi ?\}/, "home: { size: 20 gigabytes }"),
    );
    const said = await failure(stack);
    let checked = "";
    expect(await validate([file], {}, (more) => (checked += more))).toBe(false);
    await writeFile(file, text);
    // What is said without Pulumi is what the program says.
    const faults = (all: string) =>
      all
        .split("\n")
        .filter((line) => /^\s+- drawbridge:/.test(line))
        .map((line) => line.trim());
    expect(faults(checked)).toHaveLength(4);
    expect([...new Set(faults(said))]).toEqual(faults(checked));
    expect(said).toContain(
      'drawbridge:team.namespace (line 6): "Team_A" is not a DNS label; use at most 63 lower-case letters, digits and inner hyphens',
    );
    expect(said).toContain('drawbridge:team (line 7): unknown key "qouta"; did you mean "quota"?');
    expect(said).toMatch(
      /drawbridge:team\.containers\.dev1\.mounts\[0\]\.storage \(line \d+\): "modles" is not a storage of this file; did you mean "models"\?/,
    );
  });

  it("names a fault of the defaults where it stands, and once", async () => {
    const stack = await project.open("team-a");
    await setPaths(stack, { "team.containerDefaults.home.size": "20 gigabytes" });
    await setPaths(stack, {
      "team.containers.dev2.authorizedKeys[0]":
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB bob",
    });
    const said = await failure(stack);
    expect(said).toContain('"team-a": 1 fault in its arguments, nothing was created:');
    expect(said).toMatch(
      /drawbridge:team\.containerDefaults\.home\.size \(line \d+\): "20 gigabytes" is not a quantity/,
    );
    await setPaths(stack, { "team.containerDefaults.home.size": "20Gi" });
  });

  it("says what is wrong with a route on the route's line, and makes it where it is right", async () => {
    const stack = await project.open("team-a");
    const route = "team.routes.legacy-box";
    await setPaths(stack, { [`${route}.serviceName`]: "legacy-box", [`${route}.userName`]: "ubuntu" });
    expect(await failure(stack)).toMatch(
      /"team-a": 1 fault in .*\n.*drawbridge:team\.routes\["legacy-box"\]\.hostPublicKeys \(line \d+\): is missing/,
    );
    const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB";
    await setPaths(stack, { [`${route}.hostPublicKeys[0]`]: key });
    expect(await kinds(stack)).toMatchObject({ SshRoute: 1 });
    expect(await shown(stack)).toContain("legacy-box.team-a.dev.example.com");
    await stack.removeConfig("drawbridge:team.routes", true);
  });

  it("refuses a secret in plain text without repeating it", async () => {
    const stack = await project.open("team-a");
    await stack.setConfig("drawbridge:hostKeySeed", { value: stackSecrets.hostKeySeed });
    const said = await failure(stack);
    expect(said).toMatch(
      /drawbridge:hostKeySeed \(line \d+\): is a secret in plain text; replace it by a new one/,
    );
    expect(said).not.toContain(stackSecrets.hostKeySeed);
    await project.setSecrets(stack);
  });

  it("says that it is nested too deeply, and nothing else", async () => {
    const stack = await project.open("team-a");
    const file = project.fileOf("team-a");
    const text = await readFile(file, "utf8");
    const deep = `other:deep: ${"[".repeat(1000)}${"]".repeat(1000)}`;
    await writeFile(
      file,
      text.replace(/^config:\n( +)/m, (_, indent) => `config:\n${indent}${deep}\n${indent}`),
    );
    const said = await failure(stack);
    await writeFile(file, text);
    expect(said).toMatch(/"team-a": 1 fault in .*\n\s+- \(YAML\): is nested more than 100 levels deep/);
    expect(said).not.toMatch(/call stack|\n\s+at /);
  });

  it("says which stack is unknown", async () => {
    const stack = await project.open("team-gpu");
    await setPaths(stack, { "team.platform": "plattform" });
    expect(await failure(stack)).toContain('unknown stack "plattform"');
  });

  it("says which outputs a stack lacks", async () => {
    const other = await project.open("platform", async () => ({ something: "else" }));
    await other.up();
    const stack = await project.open("team-gpu");
    await setPaths(stack, { "team.platform": "platform" });
    expect(await failure(stack)).toMatch(
      /drawbridge:team\.platform \(line \d+\): the stack "platform" has none of the outputs gateway, frp, egressGateway, storageProxy, teams and people/,
    );
  });
});
