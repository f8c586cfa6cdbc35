#!/usr/bin/env node
/** The `drawbridge` command. `proxy` is served before anything else is loaded: it starts every session. */
import { enableCompileCache } from "node:module";
import { proxy } from "./commands/proxy.ts";
import { CliError, ExitCode, isExpected } from "./faults.ts";
import { visibleLines } from "./terminal.ts";

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  try {
    if (command === "proxy") {
      await proxy(rest);
      process.exit(0);
    }
    const { program } = await import("./program.ts");
    await program((code) => process.exit(code)).parseAsync();
  } catch (error) {
    const known = isExpected(error);
    const text = known ? error.message : ((error as Error).stack ?? String(error));
    process.stderr.write(`drawbridge: ${visibleLines(text)}\n`);
    process.exit(error instanceof CliError ? error.exitCode : ExitCode.failed);
  }
}

enableCompileCache();
// Not awaited: the single executable is CommonJS, which knows no await outside of functions.
void main();
