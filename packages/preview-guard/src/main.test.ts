/** The command as CI runs it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

/** Runs the command; the input comes late, as it does from a preview that takes its time. */
async function command(input: string, ...args: string[]) {
  const file = ["--conditions=@drawbridge/source", "packages/preview-guard/src/main.ts"];
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

describe("drawbridge-preview-guard", () => {
  it("ends with 0 where nothing is dangerous", async () => {
    const { code, stdout } = await command(JSON.stringify({ steps: [step("delete", true)] }), "-");
    expect({ code, title: stdout.split("\n")[0] }).toEqual({
      code: 0,
      title: "## drawbridge: nothing dangerous",
    });
  });

  it("ends with 1 where something is refused, and says what", async () => {
    const { code, stdout } = await command(JSON.stringify({ steps: [step("delete", false)] }));
    expect(code).toBe(1);
    expect(stdout).toContain("- **volume-lost**: the volume dev1-home would be deleted with its data");
  });

  it.each([
    ["nothing", "", "the preview is empty; did `pulumi preview --json` fail?"],
    ["another JSON", "{}", 'the JSON has no "steps"; give the output of `pulumi preview --json`'],
    ["a half event", '{"sequence":1,"res', 'line 1 is not JSON: {"sequence":1,"res'],
  ])("ends with 2 on %s", async (_, input, reason) => {
    expect(await command(input)).toEqual({
      code: 2,
      stdout: "",
      stderr: `drawbridge-preview-guard: ${reason}\n`,
    });
  });

  it("ends with 2 on an override without an end, and on an unknown option", async () => {
    const { code, stderr } = await command("{}", "--allow", "volume-lost");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'drawbridge-preview-guard: "volume-lost" is no override; write <rule>:<YYYY-MM-DD>, for example volume-lost:2026-12-31\n',
    });
    expect((await command("{}", "--alow")).code).toBe(2);
  });

  it("ends with 2 on a limit that is none, and on a file that is not there", async () => {
    expect(await command("{}", "--limit", "60k")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'drawbridge-preview-guard: "60k" is no limit of a report; give a number of characters, at least 1000\n',
    });
    expect(await command("", "nowhere.json")).toEqual({
      code: 2,
      stdout: "",
      stderr: "drawbridge-preview-guard: ENOENT: no such file or directory, open 'nowhere.json'\n",
    });
  });
});
