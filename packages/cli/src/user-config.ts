/** The user's own `~/.ssh/config` and `known_hosts` as bytes that are not ours: one block is put before them or taken away. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type SshFiles, withHome } from "./files.ts";

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

/** What stands in the user's own ssh_config, and in the files that it includes. */
export interface OwnConfig {
  /** Where those of the aliases are that have a `Host` block already. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Whether it includes the config that this program writes. */
  readonly includesOurs: boolean;
}

export function readOwnConfig(files: SshFiles, aliases: readonly string[]): OwnConfig {
  const wanted = new Set(aliases);
  const hosts = new Map<string, string>();
  const ours = resolve(files.config);
  const read = new Set<string>();
  const search = (file: string) => {
    if (read.has(file)) return;
    read.add(file);
    if (file === ours) return;
    for (const [index, line] of linesOf(file).entries()) {
      const [, keyword = "", rest = ""] = /^(host|include)(?:\s+|\s*=\s*)(.*)$/i.exec(line.trim()) ?? [];
      const words = (rest.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ""));
      if (keyword.toLowerCase() === "include") {
        for (const pattern of words) globSync(absolute(pattern, files)).sort().forEach(search);
        continue;
      }
      for (const name of words) {
        if (wanted.has(name) && !hosts.has(name)) hosts.set(name, `${file} (line ${index + 1})`);
      }
    }
  };
  search(resolve(files.userConfig));
  return { hosts, includesOurs: read.has(ours) };
}

/** What cannot be read, ssh cannot read either. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

const absolute = (pattern: string, { sshFolder }: SshFiles) => resolve(sshFolder, withHome(pattern));
