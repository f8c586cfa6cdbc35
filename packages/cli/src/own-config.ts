/** What the user's own ssh_config says of our hosts: beside ours it holds, unless it would undo the pinned key or the way. */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type SshFiles, withHome } from "./files.ts";

/** By these another machine would answer, or another key than the stack's would do; each with its harmless value. */
const undoing = new Map([
  ["canonicalizehostname", "no"],
  ["globalknownhostsfile", undefined],
  ["hostkeyalias", undefined],
  ["hostname", undefined],
  ["knownhostscommand", undefined],
  ["port", undefined],
  ["proxycommand", undefined],
  ["proxyjump", undefined],
  ["proxyusefdpass", "no"],
  ["stricthostkeychecking", "yes"],
  ["userknownhostsfile", undefined],
  ["verifyhostkeydns", "no"],
]);

/** Those that our blocks do not set, so that ssh takes them from a block for many hosts as well. */
const leftToOthers = ["hostkeyalias", "proxyusefdpass", "verifyhostkeydns"];

interface Undone {
  /** The host as it was asked for. */
  readonly host: string;
  /** The keyword and its place. */
  readonly by: string;
  /** Whether ours overrules it where ssh reads ours first. */
  readonly unlessOurs: boolean;
}

export interface OwnConfig {
  readonly undone: readonly Undone[];
  /** Whether the user's config includes the one that this program writes. */
  readonly includesOurs: boolean;
}

/**
 * @param hosts the names of each of our hosts, by which blocks may mean it
 */
export function readOwnConfig(files: SshFiles, hosts: ReadonlyMap<string, readonly string[]>): OwnConfig {
  const undone: Undone[] = [];
  const ours = resolve(files.config);
  const open = new Set<string>();
  let includesOurs = false;
  const search = (file: string, around: Block) => {
    if (file === ours) includesOurs = true;
    // ssh itself refuses a file that includes itself.
    if (file === ours || open.has(file)) return;
    open.add(file);
    let block = around;
    for (const [index, line] of linesOf(file).entries()) {
      const [, word = "", rest = ""] = /^\s*"?(\w+)"?(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
      const keyword = word.toLowerCase();
      const values = wordsOf(rest);
      if (keyword === "host") block = within(around, (names) => hostBlock(values, names));
      else if (keyword === "match") block = within(around, (names) => matchBlock(values, names));
      else if (keyword === "include") {
        for (const pattern of values) {
          for (const found of globSync(absolute(pattern, files)).sort()) search(found, block);
        }
      } else if (undoing.has(keyword) && values[0]?.toLowerCase() !== undoing.get(keyword)) {
        for (const [host, names] of hosts) {
          const meant = block(names);
          const unlessOurs = meant === "many" && !leftToOthers.includes(keyword);
          if (meant === undefined || (unlessOurs && includesOurs)) continue;
          undone.push({ host, by: `${word} in ${file} (line ${index + 1})`, unlessOurs });
        }
      }
    }
    open.delete(file);
  };
  search(resolve(files.userConfig), () => "many");
  return { undone, includesOurs };
}

/** Whether a block is for a host of these names: by one of them, by a pattern for many, or not at all. */
type Block = (names: readonly string[]) => "named" | "many" | undefined;

function within(around: Block, own: Block): Block {
  return (names) => {
    const outer = around(names);
    const inner = own(names);
    if (outer === undefined || inner === undefined) return undefined;
    return outer === "named" ? outer : inner;
  };
}

function hostBlock(patterns: readonly string[], names: readonly string[]): ReturnType<Block> {
  const meets = (pattern: string) => names.some((name) => patternOf(pattern).test(name));
  if (patterns.some((pattern) => pattern.startsWith("!") && meets(pattern.slice(1)))) return undefined;
  if (patterns.some((pattern) => names.includes(pattern))) return "named";
  return patterns.some(meets) ? "many" : undefined;
}

/** Other criteria than host names are taken for met, because they may be. */
function matchBlock(criteria: readonly string[], names: readonly string[]): ReturnType<Block> {
  const words = criteria.flatMap((word) =>
    /^(?:original)?host=/i.test(word) ? word.split(/=(.*)/s, 2) : word,
  );
  const kinds = words.flatMap((word, index) =>
    /^(?:original)?host$/i.test(word) ? [hostBlock((words[index + 1] ?? "").split(","), names)] : [],
  );
  if (kinds.includes(undefined)) return undefined;
  return kinds.includes("named") ? "named" : "many";
}

const patternOf = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[^\w*?]/g, "\\$&")
      .replace(/\*+/g, ".*")
      .replaceAll("?", ".")}$`,
  );

const wordsOf = (text: string) =>
  (text.match(/"[^"]*"|[^\s"]+/g) ?? []).map((word) => word.replace(/^"|"$/g, ""));

/** What cannot be read, ssh cannot read either. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return [];
  }
}

const absolute = (pattern: string, { sshFolder }: SshFiles) => resolve(sshFolder, withHome(pattern));
