import { describe, expect, it } from "vitest";
import { ask, run } from "./run.ts";

describe("run", () => {
  it("returns the standard output, with added variables", async () => {
    expect(await run("sh", ["-c", "echo $GREETING; echo noise >&2"], { env: { GREETING: "hello" } })).toBe(
      "hello\n",
    );
  });

  it("fails with the command, its exit code and its last lines of output", async () => {
    const failing = run("sh", ["-c", "seq 1 100; echo broken >&2; exit 3"]);
    const message = await failing.catch((error: Error) => error.message);
    expect(message).toContain("` failed (3):\n");
    expect(String(message).split("\n").slice(1)).toHaveLength(30);
    expect(message).toMatch(/\n100\nbroken$/);
  });
});

describe("ask", () => {
  it("is undefined for a missing or failing command", async () => {
    expect(await ask("drawbridge-no-such-command", [])).toBeUndefined();
    expect(await ask("false", [])).toBeUndefined();
  });
});
