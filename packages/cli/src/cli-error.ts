/** What the command exits with, besides 0 for success. */
export const ExitCode = {
  /** Something the user can mend: the message says how. */
  failed: 1,
  /** Wrong options or arguments. */
  usage: 2,
} as const;

/** A fault the user can mend; printed as one sentence without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = ExitCode.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
