/** Previews as CI takes them, and the guard as CI runs it. */
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { run } from "./lab.ts";

/** The stack's preview as `drawbridge-preview-guard` reads it: one engine event a line. */
export async function previewJson(stack: Stack): Promise<string> {
  const lines: string[] = [];
  await stack.preview({ onEvent: (event) => lines.push(JSON.stringify(event)) });
  return lines.join("\n");
}

/** Runs the guard's command. */
export async function guard(preview: string, ...args: string[]): Promise<{ code: number; report: string }> {
  const command = ["--conditions=@drawbridge/source", "packages/preview-guard/src/main.ts", ...args];
  const { code, stdout, stderr } = await run(process.execPath, command, { input: preview });
  return { code, report: `${stdout}${stderr}` };
}
