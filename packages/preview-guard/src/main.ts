#!/usr/bin/env node
/** The first file of the command. In an older Node the rest would fail with the exit code for "dangerous". */
const [major = 0] = process.versions.node.split(".").map(Number);

if (major < 22) {
  console.error(`drawbridge-preview-guard: this is Node ${process.versions.node}; it takes 22.18 or later`);
  process.exitCode = 2;
} else {
  await import("./command.ts").catch((error: unknown) => {
    console.error(`drawbridge-preview-guard: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  });
}
