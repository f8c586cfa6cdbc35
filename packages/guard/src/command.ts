/** The command `drawbridge-preview-guard`. */
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { bounded, readYaml } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import { Command, CommanderError } from "commander";
import { parse } from "yaml";
import { parseAcceptances } from "./acceptances.ts";
import { noBounds, parseBounds } from "./bounds.ts";
import { failure } from "./completeness.ts";
import { findingNames, judge, type Verdict } from "./guard.ts";
import { type Preview, readInput } from "./preview.ts";
import { programFindings } from "./program.ts";
import { commentLimit, renderReport } from "./report.ts";
import { type NamingStack, namingStacks } from "./stacks.ts";

const ruleHelp = Object.entries(findingNames)
  .map(([name, protects]) => `  ${name.padEnd(24)}${protects}`)
  .join("\n");

const described = () =>
  new Command("drawbridge-preview-guard")
    .description("Reports a Pulumi preview in words and refuses dangerous changes.")
    .argument("[file]", "output of `pulumi preview --json --show-sames`; standard input if left out", "-")
    .option("--pulumi-exit-code <code>", "what `pulumi preview` ended with; anything but 0 is not judged")
    .option("--accept-file <file>", "accepted findings, each with its last day (YAML or JSON)")
    .option(
      "--bounds <file>",
      "what the platform knows: people's keys, networks, whose each namespace is (YAML or JSON)",
    )
    .option("--stacks <folder>", "the teams' stack files, which say where each team is and whom it names")
    .option(
      "--base <folder>",
      "the project before a change: what starts its program is judged, and no preview is read",
    )
    .option("--project <folder>", "the project after it", ".")
    .option("--report <file>", "write the report there instead of to standard output")
    .option("--docs <address>", "where the rules are explained", "docs/guard-rules.md")
    .option("--limit <characters>", "longest report", "60000")
    .addHelpText(
      "after",
      `\nRules:\n${ruleHelp}\n\nExit codes: 0 judged, nothing dangerous; 1 judged, dangerous; 2 not judged.`,
    )
    .showHelpAfterError();

interface Options {
  readonly pulumiExitCode?: string;
  readonly acceptFile?: string;
  readonly bounds?: string;
  readonly stacks?: string;
  readonly base?: string;
  readonly project: string;
  readonly report?: string;
  readonly docs: string;
  readonly limit: string;
}

/** What a process has for it. */
export interface Streams {
  readonly stdin: AsyncIterable<Buffer>;
  readonly stdout: Output;
  readonly stderr: Output;
}

interface Output {
  write(text: string): unknown;
}

interface Judged {
  readonly changes: Preview["changes"];
  readonly verdict: Verdict;
  readonly stacks?: readonly NamingStack[] | undefined;
}

/** @returns the exit code; a report is written in any case, also for an error, since it is what people read */
export async function command(args: readonly string[], { stdin, stdout, stderr }: Streams): Promise<number> {
  const program = described()
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  try {
    program.parse(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  const options = program.opts<Options>();
  let judged: Judged;
  try {
    judged = await run(options, String(program.processedArgs[0] ?? "-"), stdin);
  } catch (error) {
    const reason = reasonOf(error);
    stderr.write(`drawbridge-preview-guard: ${reason}\n`);
    const failures = [failure("preview-failed", reason)];
    judged = { changes: [], verdict: judge({ changes: [], failures }, [], new Date()) };
  }
  const { changes, verdict, stacks } = judged;
  const limit = isLimit(options.limit) ? Number(options.limit) : commentLimit;
  const report = renderReport(changes, verdict, { limit, docs: options.docs, stacks });
  if (options.report === undefined) stdout.write(report);
  else await writeFile(options.report, report);
  return verdict.code;
}

function reasonOf(error: unknown): string {
  // Of the stack: lengths of texts are bounded.
  if (error instanceof RangeError) return "the preview is nested too deeply to be judged";
  return error instanceof Error ? error.message : String(error);
}

const isLimit = (text: string) => /^[1-9]\d{3,}$/.test(text);

async function run(options: Options, file: string, stdin: AsyncIterable<Buffer>): Promise<Judged> {
  const { limit, acceptFile, bounds } = options;
  if (!isLimit(limit))
    throw new Error(`"${limit}" is no limit of a report; set a number of characters, at least 1000`);
  const today = new Date();
  const accepted =
    acceptFile === undefined
      ? []
      : parseAcceptances(await readData(acceptFile), acceptFile, Object.keys(findingNames), today);
  if (options.base !== undefined) {
    const found = await programFindings(options.base, options.project);
    return { changes: [], verdict: judge({ changes: [], failures: [] }, accepted, today, noBounds, found) };
  }
  const input = file === "-" ? stdin : createReadStream(file);
  const preview = withExitCode(await readInput(input), options.pulumiExitCode);
  const known = bounds === undefined ? noBounds : parseBounds(await readData(bounds), bounds);
  const stacks = options.stacks === undefined ? undefined : await namingStacks(options.stacks);
  const verdict = judge(preview, accepted, today, known, [], stacks);
  return { changes: preview.changes, verdict, stacks };
}

function withExitCode(preview: Preview, code: string | undefined): Preview {
  if (code === undefined) return preview;
  if (!/^-?\d+$/.test(code))
    throw new Error(`"${code}" is not an exit code; pass the number that pulumi ended with`);
  if (Number(code) === 0 || preview.failures.length > 0) return preview;
  const text = `pulumi preview ended with ${code}; its own output says why`;
  return { ...preview, failures: [failure("preview-failed", text)] };
}

async function readData(file: string): Promise<unknown> {
  const content = await readFile(file, "utf8");
  try {
    return readYaml(content, (text) => bounded(parse(text)));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}
