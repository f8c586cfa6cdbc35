#!/usr/bin/env node
/** An older Node stops at the first thing that it does not know, with the code for "dangerous". */
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
