/** The user's own `~/.ssh/config` and `known_hosts` as bytes that are not ours: one block is put before them or taken away. */

const begin =
  "# >>> drawbridge: written by `drawbridge ssh-config`, removed by `drawbridge ssh-config --remove` >>>\n";
const made = "# This file did not exist before.\n";
const end = "# <<< drawbridge <<<\n";

/**
 * The file with a block of ours at its top; only there does an Include stand outside every Host block.
 * @param before undefined where there was no such file
 */
export function withBlock(before: Buffer | undefined, lines: string): Buffer {
  const rest = before === undefined ? undefined : withoutBlock(before);
  const note = rest === undefined ? made : "";
  return Buffer.concat([Buffer.from(`${begin}${note}${lines}${end}`), rest ?? Buffer.alloc(0)]);
}

export function includeLine(file: string): string {
  // Programs in Go take quotes for part of the name and find nothing, in silence. ssh needs them only for these.
  return `Include ${/[\s']/.test(file) ? `"${file}"` : file}\n`;
}

/** The user's own bytes again; undefined where there was no such file before ours. */
export function withoutBlock(config: Buffer): Buffer | undefined {
  const from = config.indexOf(begin);
  const to = config.indexOf(end, from);
  if (from < 0 || to < 0) return config;
  const rest = Buffer.concat([config.subarray(0, from), config.subarray(to + end.length)]);
  const wasMade = config.subarray(from, to).includes(made);
  return wasMade && rest.length === 0 ? undefined : rest;
}
