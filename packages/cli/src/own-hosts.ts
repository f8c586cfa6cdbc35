/** What stands in the user's own ssh_config, and in the files that it includes. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type SshFiles, withHome } from "./ssh-files.ts";

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
