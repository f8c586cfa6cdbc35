/** A laptop on which `drawbridge listen` runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { InstalledCli } from "../../../scripts/lib/clients/cli.ts";
import { eventually, expectSuccess } from "../../../scripts/lib/lab/lab.ts";

export interface Listening {
  /** What it said so far. */
  said(): string;
  /** The port of a container. */
  portOf(name: string): string;
  /** The end of the program, with its code. */
  readonly ended: Promise<number | null>;
  stop(): void;
}

/** Tells the laptop of these containers and listens for each. */
export async function startListen<T extends { readonly name: string }>(
  cli: InstalledCli,
  targets: readonly T[],
): Promise<Listening> {
  await expectSuccess(cli.run(["ssh-config", "--from", "-"], { input: JSON.stringify(targets) }));
  const program = spawn(join(cli.bin, "drawbridge"), ["listen"], { env: { ...process.env, ...cli.env } });
  const ended = once(program, "close").then(([code]) => code as number | null);
  let said = "";
  for (const stream of [program.stdout, program.stderr]) stream.on("data", (bytes) => (said += bytes));
  const found = (name: string) => new RegExp(`^${name} +\\w+ +127\\.0\\.0\\.1 +(\\d+)$`, "m").exec(said)?.[1];
  await eventually("all ports", async () => targets.every(({ name }) => found(name) !== undefined), 20);
  return { said: () => said, portOf: (name) => found(name) ?? "", ended, stop: () => void program.kill() };
}
