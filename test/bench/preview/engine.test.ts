import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { watchEngine } from "./engine.ts";

/** A program that starts commands one after the other. */
function programOf(commands: readonly string[]) {
  const calls = commands.map((command) => `spawnSync(process.execPath, ["-e", ${JSON.stringify(command)}]);`);
  return spawn(process.execPath, [
    "-e",
    `const { spawnSync } = require("child_process"); ${calls.join(" ")}`,
  ]);
}

// /proc is Linux's.
it.runIf(process.platform === "linux")(
  "counts the command that works most, also when another runs after it",
  async () => {
    const idle = "setTimeout(() => {}, 200)";
    const program = programOf([idle, "while (process.cpuUsage().user < 1e6);", idle]);
    const watch = watchEngine(program.pid ?? 0);
    await once(program, "close");
    const { cpu, memory } = watch.stop();
    // An idle one takes a tenth of a second to start.
    expect(cpu).toBeGreaterThan(0.5);
    expect(memory).toBeGreaterThan(10 * 1024 * 1024);
  },
);
