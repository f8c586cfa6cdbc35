import { CliError, ExitCode } from "./cli-error.ts";

/** The value of `--port`. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new CliError(
    `--port ${JSON.stringify(text)} is not a port; give a whole number from 1 to 65535`,
    ExitCode.usage,
  );
}
