/** A script that runs in a container for as long as the drill does, over a session that is opened again when it ends. */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Laptop } from "../../../scripts/lib/lab/lab.ts";

export interface HeldScript {
  /** What it said since the last call, line by line. */
  take(): string[];
  end(): Promise<void>;
}

export function holdScript(laptop: Laptop, host: string, script: string): HeldScript {
  let lines: string[] = [];
  let going = true;
  let stop = () => {};
  const session = () =>
    new Promise<void>((resolve) => {
      const child = spawn("ssh", ["-F", laptop.configFile, host, "bash -s"], {
        env: { ...process.env, ...laptop.env },
        stdio: ["pipe", "pipe", "ignore"],
      });
      stop = () => child.kill();
      let rest = "";
      child.stdout.on("data", (chunk: Buffer) => {
        const parts = (rest + chunk.toString()).split("\n");
        rest = parts.pop() ?? "";
        lines.push(...parts);
      });
      child.stdin.on("error", () => {});
      child.stdin.write(script);
      child.once("close", () => resolve());
    });
  const holding = (async () => {
    while (going) {
      await session();
      await sleep(500);
    }
  })();
  return {
    take() {
      const taken = lines;
      lines = [];
      return taken;
    },
    end: async () => {
      going = false;
      stop();
      await holding;
    },
  };
}
