import { spawn } from "node:child_process";

interface RunOptions {
  /** Working folder; the current one by default. */
  readonly cwd?: string;
  /** Variables added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How many lines of a failed command's output its error repeats. */
const shownLines = 30;

/** Runs a command to its end and returns its standard output. If it fails, throws the last lines of all its output. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let all = "";
  const keep = (chunk: string) => {
    all += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    keep(chunk);
  });
  child.stderr.setEncoding("utf8").on("data", keep);
  const code = await new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit, signal) => resolve(exit ?? signal ?? "no exit code"));
  });
  if (code === 0) return stdout;
  const shown = all.trimEnd().split("\n").slice(-shownLines).join("\n");
  throw new Error(`\`${[command, ...args].join(" ")}\` failed (${code}):\n${shown}`);
}

/** Like {@link run}, but `undefined` where the command is missing or fails: for questions such as "is it installed?". */
export async function ask(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string | undefined> {
  return await run(command, args, options).catch(() => undefined);
}
