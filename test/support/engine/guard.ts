/** Previews as CI takes them, and the guard as CI runs it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { parse } from "yaml";
import { run } from "../../../scripts/lib/lab/lab.ts";

/** The stack's preview as `drawbridge-preview-guard` reads it: one engine event a line. */
export async function previewJson(stack: Stack): Promise<string> {
  const lines: string[] = [];
  await stack.preview({ onEvent: (event) => lines.push(JSON.stringify(event)) });
  return lines.join("\n");
}

/** Runs the guard's command. */
export async function guard(preview: string, ...args: string[]): Promise<{ code: number; report: string }> {
  const command = ["--conditions=@drawbridge/source", "packages/guard/src/main.ts", ...args];
  const { code, stdout, stderr } = await run(process.execPath, command, { input: preview });
  return { code, report: `${stdout}${stderr}` };
}

/** The report's entries for the acceptance file, with today as their last day. */
export function entriesOf(report: string): { readonly rule: string }[] {
  const yaml = /^(`{3,})yaml\n([\s\S]*?)\n\1$/m.exec(report)?.[2] ?? "";
  return parse(yaml.replaceAll("<last day>", new Date().toISOString().slice(0, 10))) ?? [];
}

/** Writes the report's entries of these rules to a file, as a maintainer would; returns its path. */
export async function acceptanceFile(
  report: string,
  rules: readonly string[],
  folder: string,
): Promise<string> {
  const file = join(folder, "accepted.json");
  await writeFile(file, JSON.stringify(entriesOf(report).filter(({ rule }) => rules.includes(rule))));
  return file;
}
