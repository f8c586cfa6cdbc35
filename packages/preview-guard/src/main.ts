#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { Command } from "commander";
import { judge } from "./guard.ts";
import { parseOverride } from "./overrides.ts";
import { readPreview } from "./preview.ts";
import { renderReport } from "./report.ts";
import { rules } from "./rules/index.ts";

const ruleHelp = rules.map(({ name, protects }) => `  ${name.padEnd(24)}${protects}`).join("\n");

const program = new Command("drawbridge-preview-guard")
  .description("Reports a Pulumi preview in words and refuses dangerous changes.")
  .argument("[file]", "output of `pulumi preview --json`; standard input if left out", "-")
  .option(
    "--allow <rule:date>",
    "accept a rule's findings up to a day (repeatable)",
    (value, all: string[]) => [...all, value],
    [],
  )
  .option("--limit <characters>", "longest report", "60000")
  .addHelpText(
    "after",
    `\nRules:\n${ruleHelp}\n\nExit codes: 0 nothing dangerous, 1 refused, 2 input that cannot be read.`,
  )
  .showHelpAfterError();
program.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
program.parse();

const { allow, limit } = program.opts<{ allow: string[]; limit: string }>();
try {
  if (!/^[1-9]\d{3,}$/.test(limit)) {
    throw new Error(`"${limit}" is no limit of a report; give a number of characters, at least 1000`);
  }
  const today = new Date();
  const overrides = allow.map((text) =>
    parseOverride(
      text,
      rules.map((rule) => rule.name),
      today,
    ),
  );
  const [file = "-"] = program.processedArgs as string[];
  const changes = readPreview(await (file === "-" ? text(process.stdin) : readFile(file, "utf8")));
  const verdict = judge(changes, overrides, today);
  process.stdout.write(renderReport(changes, verdict, Number(limit)));
  process.exitCode = verdict.refused.length > 0 ? 1 : 0;
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  console.error(`drawbridge-preview-guard: ${reason}`);
  process.exitCode = 2;
}
