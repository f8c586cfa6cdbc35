/** The command as CI runs it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { libraryVersion } from "@drawbridge-iac/drawbridge/src/kit/library-version";
import { describe, expect, it } from "vitest";
import { alice, bob, container } from "./attacks.fixture.ts";
import { command as run } from "./command.ts";
import { edited } from "./sample.fixture.ts";

/** Runs the command in this process. */
async function command(input: string, ...args: string[]) {
  const printed = { stdout: "", stderr: "" };
  const to = (name: keyof typeof printed) => ({
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const stdin = (async function* () {
    yield Buffer.from(input);
  })();
  const code = await run(args, { stdin, stdout: to("stdout"), stderr: to("stderr") });
  return { code, ...printed };
}

/** Runs it as a process; the input comes late, as it does from a preview that takes its time. */
async function started(input: string, ...args: string[]) {
  const file = ["--conditions=@drawbridge/source", "packages/guard/src/main.ts"];
  const child = spawn(process.execPath, [...file, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, "close");
  setTimeout(() => child.stdin.end(input), 200);
  const [code] = await ended;
  const [stdout, stderr] = await printed;
  return { code, stdout, stderr };
}

const step = (op: string, retainOnDelete: boolean) => {
  const type = "kubernetes:core/v1:PersistentVolumeClaim";
  const urn = `urn:pulumi:team-a::drawbridge::drawbridge:index:DevContainer$${type}::dev1-home`;
  return { op, urn, oldState: { type, urn, inputs: {}, retainOnDelete } };
};

/** JSON.parse takes it; anyone who walks through it runs out of stack. */
const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;

const same = ["a", "b", "c"].map((name) => ({
  op: "same",
  urn: `urn:pulumi:team-a::drawbridge::kubernetes:core/v1:ConfigMap::${name}`,
}));
const digest = (step: object, rest: object = {}) =>
  JSON.stringify({ steps: [step, ...same], changeSummary: { same: 3, delete: 1 }, ...rest });

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-guard-"));
  return use(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

describe("drawbridge-preview-guard", () => {
  it("ends with 0 where nothing is dangerous", async () => {
    const { code, stdout } = await command(digest(step("delete", true)), "-");
    expect({ code, title: stdout.split("\n")[0] }).toEqual({
      code: 0,
      title: "## drawbridge: nothing dangerous",
    });
  });

  it("is the same as a process", async () => {
    const given: [string, ...string[]][] = [
      [digest(step("delete", false)), "-"],
      ["", "--alow"],
      ["", "--help"],
    ];
    for (const [input, ...args] of given)
      expect(await started(input, ...args)).toEqual(await command(input, ...args));
  });

  it("ends with 1 where something is refused, and says what and how to accept it", async () => {
    const { code, stdout } = await command(digest(step("delete", false)));
    expect(code).toBe(1);
    expect(stdout).toContain(
      "- [**volume-lost**](docs/guard-rules.md#volume-lost) PersistentVolumeClaim dev1-home: the volume dev1-home would be deleted with its data\n",
    );
    const entry = /```yaml\n([^`]*)```/.exec(stdout)?.[1] ?? "";
    await inFolder(async (folder) => {
      const file = join(folder, "accepted.yaml");
      const day = new Date().toISOString().slice(0, 10);
      await writeFile(file, entry.replace("<last day>", day));
      const accepted = await command(digest(step("delete", false)), "--accept-file", file);
      expect(accepted.code).toBe(0);
      expect(accepted.stdout).toContain(`with its data (until ${day})`);
    });
  });

  it("ends with 2 where Pulumi failed, and shows its words", async () => {
    const diagnostics = [{ severity: "error", message: "error: boom\n```\n" }];
    const { code, stdout } = await command(digest(step("delete", false), { diagnostics }));
    expect({ code, stdout: stdout.slice(0, stdout.indexOf("### Refused")) }).toEqual({
      code: 2,
      stdout:
        "## drawbridge: not judged\n\nResources: 1 to delete.\n\n### Why it could not be judged\n\n````text\nerror: boom\n```\n````\n\n",
    });
    expect((await command(digest(step("delete", true)), "--pulumi-exit-code", "255")).code).toBe(2);
    expect((await command(digest(step("delete", true)), "--pulumi-exit-code", "0")).code).toBe(0);
  });

  it.each([
    ["nothing", "", "the preview is empty; did `pulumi preview --json` fail?"],
    ["another JSON", "{}", 'the JSON has no "steps"; pass the output of `pulumi preview --json`'],
    [
      "what is nested without end",
      `{"steps":[{"op":"create","urn":"a","newState":{"type":"a:b:c","urn":"a","inputs":{"a":${nested}}}}],"changeSummary":{"create":1,"same":1}}`,
      "the preview is nested too deeply to be judged",
    ],
    ["a half event", '{"sequence":1,"res', "line 1 is not JSON; pass the output of `pulumi preview --json`"],
  ])("ends with 2 on %s, with a report too", async (_, input, reason) => {
    const { code, stdout, stderr } = await command(input);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `drawbridge-preview-guard: ${reason}\n` });
    expect(stdout).toContain("## drawbridge: not judged");
    expect(stdout).toContain(reason);
  });

  it.each([
    [["--alow"], "error: unknown option '--alow'"],
    [["--limit", "60k"], '"60k" is no limit of a report; set a number of characters, at least 1000'],
    [["--pulumi-exit-code", "x"], '"x" is not an exit code; pass the number that pulumi ended with'],
    [["nowhere.json"], "ENOENT: no such file or directory, open 'nowhere.json'"],
    [["--accept-file", "nowhere.yaml"], "ENOENT: no such file or directory, open 'nowhere.yaml'"],
  ])("ends with 2 on %j", async (args, reason) => {
    const { code, stderr } = await command(digest(step("delete", true)), ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
  });

  it("writes the report to a file, and judges keys by the platform's own file", async () => {
    await inFolder(async (folder) => {
      const [report, bounds] = [join(folder, "report.md"), join(folder, "bounds.yaml")];
      await writeFile(bounds, "people:\n  alice: []\n");
      const args = (...authorizedKeys: string[]) => ({
        ...container,
        authorizedKeys,
        library: { version: libraryVersion },
      });
      const steps = edited("DevContainer", "dev1", args(bob), args(bob, alice)).map((one) => {
        const { op, urn, type, parent, isCustom: custom, retained: retainOnDelete, before, after } = one;
        const state = { type, urn, parent, custom, retainOnDelete };
        return { op, urn, oldState: { ...state, inputs: before }, newState: { ...state, inputs: after } };
      });
      const input = JSON.stringify({ steps: [...steps, same[0]], changeSummary: { same: 1, update: 1 } });
      expect(await command(input, "--report", report, "--bounds", bounds)).toEqual({
        code: 1,
        stdout: "",
        stderr: "",
      });
      expect(await readFile(report, "utf8")).toContain("it belongs to nobody whom the platform names");
      expect((await command(input, "--report", report)).code).toBe(0);
      await writeFile(bounds, "[".repeat(50_000));
      expect(await command(input, "--report", report, "--bounds", bounds)).toEqual({
        code: 2,
        stdout: "",
        stderr: `drawbridge-preview-guard: ${bounds}: is nested more than 100 levels deep; write it flatter\n`,
      });
    });
  });
});
