#!/usr/bin/env node
/** The first file of the command. In an older Node the rest would fail with the exit code for "dangerous". */
const [major = 0] = process.versions.node.split(".").map(Number);

if (major < 22) {
  console.error(`drawbridge-preview-guard: this is Node ${process.versions.node}; it takes 22.18 or later`);
  process.exitCode = 2;
} else {
  try {
    const { command } = await import("./command.ts");
    process.exitCode = await command(process.argv.slice(2), process);
  } catch (error) {
    console.error(`drawbridge-preview-guard: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }
}
