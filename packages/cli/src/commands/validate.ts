/** `drawbridge validate FILE…`: what `pulumi up` would say of a stack's file, without Pulumi and its secrets. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { InvalidText } from "@drawbridge-iac/drawbridge/src/kit/fault";
import { type LocatedFault, stackError, yamlFault } from "@drawbridge-iac/drawbridge/src/stacks/fault";
import { checkStackConfig } from "@drawbridge-iac/drawbridge/src/stacks/read";
import { stackFile, stackNamed } from "@drawbridge-iac/drawbridge/src/stacks/stack-file";
import { isExhausted, readYaml } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import { type Document, isScalar, LineCounter, type Node, parseDocument, visit } from "yaml";
import { CliError, ExitCode } from "../faults.ts";
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

/** Returns whether every file is valid. */
export async function validate(
  files: readonly string[],
  flags: ValidateFlags,
  print: (text: string) => void,
): Promise<boolean> {
  const checked = await Promise.all(files.map(check));
  if (flags.json) print(`${visibleJson(checked)}\n`);
  else for (const one of checked) print(`${report(one)}\n`);
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
  const lineAt = (position: number) => lines.linePos(position).line;
  try {
    const { found, file } = readYaml(text, () => {
      const document = parseDocument(text, { lineCounter: lines });
      const found = yamlFaults(document);
      return found.length > 0 ? { found } : { found, file: stackFile(document, lineAt) };
    });
    if (file === undefined) return found.map(({ at, message }) => yamlFault(message, lineAt(at)));
    return await checkStackConfig(file.config, file);
  } catch (error) {
    if (error instanceof InvalidText) return [yamlFault(error.message)];
    throw error;
  }
}

/** What keeps a text from being read as one document, and what YAML's readers understand in more than one way. */
function yamlFaults(document: Document.Parsed): { readonly at: number; readonly message: string }[] {
  const exhausted = document.errors.find(isExhausted);
  if (exhausted !== undefined) throw exhausted;
  const found = document.errors.map(({ code, message, pos }) => ({
    at: pos[0],
    message:
      code === "MULTIPLE_DOCS"
        ? "has several YAML documents; keep one"
        : // Without what it repeats of the file: that may be a secret that is not encrypted yet.
          (message.split("\n", 1)[0] ?? "")
            .replace(/ at line \d+, column \d+:$/, "")
            .replace(/: .*$| \\.*$/, ""),
  }));
  // Those so far: an alias names the last one of its name. Looking each up in the document takes quadratic time.
  const anchors = new Map<string, Node>();
  visit(document, {
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias(_, alias, parents) {
      const at = alias.range?.[0] ?? 0;
      const name = alias.source;
      const node = anchors.get(name);
      if (node === undefined)
        found.push({
          at,
          message: `*${name} names no anchor above it; write &${name} before the value that it repeats`,
        });
      else if (parents.includes(node))
        found.push({
          at,
          message: `*${name} stands inside the value that &${name} names, which would never end; name a smaller part`,
        });
    },
    Pair(_, { key }) {
      if (isScalar(key) && key.value === "<<")
        found.push({
          at: key.range?.[0] ?? 0,
          message:
            "<< is not taken in a stack's file; write the keys out, or put what containers share into containerDefaults",
        });
    },
  });
  return found;
}

function report({ file, stack, faults }: Checked): string {
  return visibleLines(
    faults.length === 0 ? `${file}: valid` : `${file}: ${stackError(stack, faults).message}`,
  );
}
