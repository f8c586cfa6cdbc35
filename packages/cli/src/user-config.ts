/** The user's own `~/.ssh/config` as bytes that are not ours: one block is put before them or taken away. */

const begin =
  "# >>> drawbridge: written by `drawbridge ssh-config`, removed by `drawbridge ssh-config --remove` >>>\n";
const made = "# This file did not exist before.\n";
const end = "# <<< drawbridge <<<\n";

/**
 * The config with an Include of ours at its top; only there does it stand outside every Host block.
 * @param before undefined where there was no such file
 */
export function withInclude(before: Buffer | undefined, includedFile: string): Buffer {
  const rest = before === undefined ? undefined : withoutInclude(before);
  const note = rest === undefined ? made : "";
  // Programs in Go take quotes for part of the name and find nothing, in silence. ssh needs them only for these.
  const word = /[\s']/.test(includedFile) ? `"${includedFile}"` : includedFile;
  const block = `${begin}${note}Include ${word}\n${end}`;
  return Buffer.concat([Buffer.from(block), rest ?? Buffer.alloc(0)]);
}

/** The user's own bytes again; undefined where there was no such file before ours. */
export function withoutInclude(config: Buffer): Buffer | undefined {
  const from = config.indexOf(begin);
  const to = config.indexOf(end, from);
  if (from < 0 || to < 0) return config;
  const rest = Buffer.concat([config.subarray(0, from), config.subarray(to + end.length)]);
  const wasMade = config.subarray(from, to).includes(made);
  return wasMade && rest.length === 0 ? undefined : rest;
}

/** Which of the aliases the user has a Host block for already, with its line number. */
export function ownHosts(config: Buffer | undefined, aliases: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const own = (config === undefined ? undefined : withoutInclude(config)) ?? Buffer.alloc(0);
  for (const [index, line] of own.toString("latin1").split("\n").entries()) {
    const [, patterns] = /^\s*host(?:\s+|\s*=\s*)(.*)$/i.exec(line.trim()) ?? [];
    if (patterns === undefined) continue;
    const names = patterns.split(/\s+/).map((name) => name.replace(/^"|"$/g, ""));
    for (const alias of aliases) {
      if (names.includes(alias) && !found.has(alias)) found.set(alias, index + 1);
    }
  }
  return found;
}
