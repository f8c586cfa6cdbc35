/** `drawbridge connect NAME`: ssh with every option given, for people who keep their own ssh_config as it is. */
import { spawn } from "node:child_process";
import { CliError } from "../faults.ts";
import { sshOptions } from "../files.ts";
import { knownTarget } from "../known-stacks.ts";

export async function connect(alias: string, words: readonly string[]): Promise<number> {
  await knownTarget(alias);
  return runSsh([alias, ...words]);
}

/** Returns ssh's own exit code. */
export function runSsh(words: readonly string[]): Promise<number> {
  const child = spawn("ssh", [...sshOptions(), ...words], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", () => reject(new CliError("ssh is not installed here; install OpenSSH's client")));
    child.once("close", (code) => resolve(code ?? 255));
  });
}
