/** `drawbridge validate FILE…`: what the program would say about a stack's file, without Pulumi and its secrets. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  checkStackConfig,
  type LocatedFault,
  stackError,
  stackFile,
  stackNamed,
} from "@drawbridge-iac/manifests/stack";
import { LineCounter, parseDocument } from "yaml";
import { CliError, ExitCode } from "../cli-error.ts";
import { visibleJson, visibleLines } from "../terminal.ts";

export interface ValidateFlags {
  readonly json?: boolean;
}

/** What was found in one file. */
interface Checked {
  readonly file: string;
  readonly stack: string;
  readonly valid: boolean;
  readonly faults: readonly LocatedFault[];
}

/** Returns whether every file is right. */
export async function validate(
  files: readonly string[],
  flags: ValidateFlags,
  print: (text: string) => void,
): Promise<boolean> {
  const checked = await Promise.all(files.map(check));
  if (flags.json) print(`${visibleJson(checked)}\n`);
  else for (const one of checked) print(`${textOf(one)}\n`);
  return checked.every(({ valid }) => valid);
}

async function check(file: string): Promise<Checked> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new CliError(
      `${file} cannot be read: ${error.message}; name a Pulumi.<stack>.yaml`,
      ExitCode.usage,
    );
  });
  const faults = await faultsIn(text);
  return { file, stack: stackNamed(basename(file)), valid: faults.length === 0, faults };
}

async function faultsIn(text: string): Promise<LocatedFault[]> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) {
    return document.errors.map(({ message, pos }) => ({
      path: "(YAML)",
      line: lines.linePos(pos[0]).line,
      message: message.split("\n", 1)[0]?.replace(/ at line \d+, column \d+:$/, "") ?? message,
    }));
  }
  const content = document.toJS({ maxAliasCount: 100 }) as { config?: unknown } | null;
  return checkStackConfig(
    content?.config,
    stackFile(document, (position) => lines.linePos(position).line),
  );
}

function textOf({ file, stack, faults }: Checked): string {
  return visibleLines(
    faults.length === 0 ? `${file}: right` : `${file}: ${stackError(stack, faults).message}`,
  );
}
