/** How the programs start and end. */

/** Runs a program, or prints its usage; one that cannot start says so in one sentence. */
export async function runProgram(
  name: string,
  usage: string,
  run: (argv: readonly string[]) => Promise<void>,
): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv.includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    await run(argv);
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`);
    process.exit(1);
  }
}

/** Calls `stop` when the program is asked to end: the first process of a container gets no default action for a signal. */
export function onStop(stop: () => void): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);
}
