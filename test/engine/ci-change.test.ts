/** Which pull requests are previewed with the target branch's program: those that change values of stack files. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { must, run } from "../../scripts/lib/lab/lab.ts";
import { onlyValuesDiffer, readProject } from "../../starter/ci/change.ts";

const project = { name: "drawbridge", folder: "stacks/" };
const salt = "encryptionsalt: v1:abc=:v1:def\n";
const before = `config:\n  drawbridge:team:\n    namespace: team-a\n${salt}`;

describe("a stack file's change of values", () => {
  it.each([
    ["a value", before.replace("team-a", "team-b")],
    ["a key of the project", before.replace(salt, `  drawbridge:seed:\n    secure: v1:x\n${salt}`)],
    [
      "comments and empty lines",
      `# a team\n\n${before.replace("    namespace", "\n    # its\n    namespace")}`,
    ],
    ["a deeper mapping", before.replace("namespace: team-a", "kubernetes:kubeconfig: x")],
    ["the order of its sections", `${salt}${before.replace(salt, "")}`],
    ["line ends of Windows", before.replaceAll("\n", "\r\n")],
  ])("is one: %s", (_, after) => {
    expect(onlyValuesDiffer(before, after, project)).toBe(true);
  });

  it("is one in a project of another name too, where it is of a key of the stacks", () => {
    const own = { ...project, name: "devs" };
    expect(onlyValuesDiffer(before, before.replace("team-a", "team-b"), own)).toBe(true);
    const kubeconfig = before.replace(salt, `  kubernetes:kubeconfig: x\n${salt}`);
    expect(onlyValuesDiffer(before, kubeconfig, { ...project, name: "kubernetes" })).toBe(false);
    const plugin = before.replace(salt, `  drawbridge:pluginDownloadURL: https://mallory\n${salt}`);
    expect(onlyValuesDiffer(before, plugin, own)).toBe(false);
  });

  it.each([
    ["who can read the state's secrets", `${before}secretsprovider: awskms://alias/mallory\n`],
    ["the salt", before.replace("abc", "xyz")],
    ["no salt", before.replace(salt, "")],
    ["an environment", `${before}environment: [mallory]\n`],
    ["a provider's program", before.replace(salt, `  kubernetes:kubeconfig: "{}"\n${salt}`)],
    ["a quoted key", before.replace(salt, `  "kubernetes:kubeconfig": "{}"\n${salt}`)],
    ["from where a plugin comes", before.replace(salt, `  drawbridge:pluginDownloadURL: x\n${salt}`)],
    ["which plugin it is", before.replace(salt, `  drawbridge:version: 1.0.0\n${salt}`)],
    ["a key without a namespace", before.replace(salt, `  seed: x\n${salt}`)],
    ["a key behind a lone carriage return", before.replace("team-a", "team-a\rsecretsprovider: x")],
    ["a key behind a next line", before.replace("team-a", "team-a\u0085secretsprovider: x")],
    ["a key behind a line separator", before.replace("team-a", "team-a\u2028secretsprovider: x")],
    ["a second document", `${before}---\nconfig: {}\n`],
    ["a second config", `${before}config:\n  drawbridge:team: {}\n`],
    ["config on one line", `config: { "kubernetes:kubeconfig": x }\n${salt}`],
    ["an anchor", before.replace("config:", "config: &all")],
    ["a merge", before.replace(salt, `  <<: { kubernetes:kubeconfig: x }\n${salt}`)],
    ["a tab", before.replace("    namespace", "\tnamespace")],
    ["a directive", `%YAML 1.1\n---\n${before}`],
    ["a whole file further in", `  config:\n    drawbridge:team: {}\n  secretsprovider: x\n`],
    ["a continued line of another section", `${before}  xyz\n`],
    ["nothing", ""],
  ])("is none: %s", (_, after) => {
    expect(onlyValuesDiffer(before, after, project)).toBe(false);
  });

  it("is none in a new file with a section of its own", () => {
    expect(onlyValuesDiffer(undefined, before.replace(salt, ""), project)).toBe(true);
    expect(onlyValuesDiffer(undefined, before, project)).toBe(false);
  });

  it("changes nothing that a YAML parser sees beside the project's values", () => {
    const piece = fc.constantFrom(
      ...[
        "config:",
        "  drawbridge:a: 1",
        "  drawbridge:b:",
        "    c: |",
        "      text",
        "    d: [1,",
        "    2]",
      ],
      ...[
        "  kubernetes:kubeconfig: x",
        "kubernetes:kubeconfig: x",
        '    e: "',
        'secretsprovider: x"',
        "  ? f",
      ],
      ...[
        "  <<: *a",
        "    &a g: 1",
        "---",
        "...",
        "secretsprovider: x",
        "encryptionsalt: v1",
        "  more",
        "\tt: 1",
      ],
      ...[
        " drawbridge:h: 1",
        "# comment",
        "",
        "    i: {",
        "  }",
        "    }",
        "config: {}",
        "{",
        "}",
        "- 1",
        "'",
      ],
    );
    const text = fc
      .tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"))
      .map(([lines, end]) => `${["config:", "  drawbridge:z: 1", ...lines].join(end)}${end}`);
    let accepted = 0;
    const check = fc.property(text, (after) => {
      if (!onlyValuesDiffer(before.replace(salt, ""), after, project)) return true;
      let seen: Record<string, unknown>;
      try {
        seen = parse(after, { strict: false, uniqueKeys: false, merge: true });
      } catch {
        return true; // Nor can Pulumi read it.
      }
      accepted++;
      const { config, ...others } = seen as { config: object };
      return (
        Object.keys(others).length === 0 && Object.keys(config).every((key) => key.startsWith("drawbridge:"))
      );
    });
    fc.assert(check, { numRuns: 20_000 });
    expect(accepted).toBeGreaterThan(500);
  });
});

describe("readProject", () => {
  it("reads the name and where stack files are", () => {
    expect(readProject("name: a-b\nstackConfigDir: ./stacks/\n")).toEqual({ name: "a-b", folder: "stacks/" });
    expect(readProject("runtime: nodejs\nname: a\n")).toEqual({ name: "a", folder: "" });
    expect(() => readProject("{ name: a }")).toThrow("Pulumi.yaml has no plain `name:`");
  });
});

describe("node ci/change.ts", () => {
  let folder: string;
  const git = (...args: string[]) =>
    must("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args]);
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  /** Commits what is in the folder to a branch and goes back to main. */
  const commit = async (): Promise<string> => {
    await git("checkout", "--quiet", "-B", "pull");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "change");
    const hash = (await git("rev-parse", "HEAD")).trim();
    await git("checkout", "--quiet", "main");
    return hash;
  };
  const change = async (hash: string) => {
    const main = join(process.cwd(), "starter/ci/change.ts");
    const { code, stdout, stderr } = await run(process.execPath, [main, hash], {
      cwd: folder,
      env: { NODE_OPTIONS: "" },
    });
    const working = (await git("status", "--porcelain")).trim().split("\n").filter(Boolean);
    return { code, lines: stdout.trim().split("\n").slice(1), stderr, working };
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "drawbridge-change-"));
    await git("init", "--quiet", "-b", "main");
    await write("Pulumi.yaml", "name: drawbridge\nstackConfigDir: stacks\n");
    await write("stacks/Pulumi.team-a.yaml", before);
    await write("stacks/program.ts", "");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "begin");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("takes over stack files as merged, a new one included", async () => {
    await write("stacks/Pulumi.team-a.yaml", before.replace("team-a", "team-b"));
    await write("stacks/Pulumi.team-c.yaml", before.replace(salt, ""));
    const hash = await commit();
    // Main went on meanwhile; that is no change of the pull request, and the file keeps what main has.
    await write("stacks/program.ts", "newer");
    await write("stacks/Pulumi.team-a.yaml", `# newer\n${before}`);
    await git("commit", "--quiet", "--all", "--message", "newer");
    expect(await change(hash)).toEqual({
      code: 0,
      lines: ["kind=stack-files", "files="],
      stderr: "",
      working: ["M  stacks/Pulumi.team-a.yaml", "A  stacks/Pulumi.team-c.yaml"],
    });
    expect(await must("cat", [join(folder, "stacks/Pulumi.team-a.yaml")])).toBe(
      `# newer\n${before.replace("team-a", "team-b")}`,
    );
  });

  it.each([
    ["stacks/program.ts", "x"],
    ["Pulumi.yaml", "name: drawbridge\nmain: evil.ts\nstackConfigDir: stacks\n"],
    ["Pulumi.team-a.yaml", before],
    ["stacks/deeper/Pulumi.team-a.yaml", before],
    ["stacks/Pulumi.team-a.yaml", `${before}secretsprovider: x\n`],
    ["stacks/Pulumi.a;b.yaml", before.replace(salt, "")],
    ["ci/preview.sh", "exit 0"],
    ["README.md", "x"],
  ])("takes a change of %s for code, and takes nothing over", async (name, text) => {
    await write(name, text);
    await write("stacks/Pulumi.new.yaml", before.replace(salt, ""));
    expect(await change(await commit())).toEqual({
      code: 0,
      lines: ["kind=code", `files=${name}`],
      stderr: "",
      working: [],
    });
  });

  it("takes a removed stack file, a link and a program in its place for code", async () => {
    const file = join(folder, "stacks/Pulumi.team-a.yaml");
    await rm(file);
    expect((await change(await commit())).lines).toEqual(["kind=code", "files=stacks/Pulumi.team-a.yaml"]);
    await rm(file);
    await symlink("/proc/self/environ", file);
    expect((await change(await commit())).lines).toEqual(["kind=code", "files=stacks/Pulumi.team-a.yaml"]);
    await git("update-index", "--chmod=+x", "stacks/Pulumi.team-a.yaml");
    await git("checkout", "--quiet", "-B", "pull");
    await git("commit", "--quiet", "--message", "executable");
    const hash = (await git("rev-parse", "HEAD")).trim();
    await git("checkout", "--quiet", "--force", "main");
    expect((await change(hash)).lines).toEqual(["kind=code", "files=stacks/Pulumi.team-a.yaml"]);
  });

  it("names twenty files at most, whatever they are called", async () => {
    for (let index = 0; index < 22; index++) await write(`odd\n${index + 10}=`, "x");
    const { lines } = await change(await commit());
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^files="odd\\n10=", .*"odd\\n29=" and 2 more$/);
  });

  it.each([
    ["main", '"main" is no commit; give the full hash of the pull request\'s last one'],
    ["0".repeat(40), `${"0".repeat(40)} cannot be merged: `],
  ])("ends with 2 for %s", async (hash, reason) => {
    const { code, stderr } = await change(hash);
    expect(code).toBe(2);
    expect(stderr).toContain(`change.ts: ${reason}`);
  });
});
