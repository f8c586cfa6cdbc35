/**
 * `node ci/change.ts <commit>` says what merging a pull request's commit would change in the branch that is checked
 * out, for anyone who decides with which program it is previewed:
 *
 *     kind=stack-files   only values of the project in stack files; they are now in the working tree, as merged
 *     kind=code          anything else; the working tree is as it was
 *     files=…            what made it `code`
 *     target=…           the commit that is checked out
 *
 * It runs from the target branch and reads the pull request as data: nothing of it is executed. When in doubt a change
 * is code.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One changed file, as `git diff-tree --raw` has it. */
export interface ChangedFile {
  readonly path: string;
  /** File modes before and after, for example `100644`; zeros where there is no file. */
  readonly modes: readonly [string, string];
}

/** Reads the output of `git diff-tree -r --raw --no-renames`. Paths with unusual characters stay quoted. */
export function readRawDiff(text: string): ChangedFile[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(":"))
    .map((line) => {
      const [meta = "", path = ""] = line.split("\t");
      const [before = "", after = ""] = meta.slice(1).split(" ");
      return { path, modes: [before, after] as const };
    });
}

/** What a project's own file says of its stack files. */
export interface Project {
  readonly name: string;
  /** Folder of the stack files, with a slash at its end; empty for the project's folder. */
  readonly folder: string;
}

export function readProject(yaml: string): Project {
  const value = (key: string) => new RegExp(`^${key}:[ ]*([\\w./-]+)[ ]*$`, "m").exec(yaml)?.[1];
  const name = value("name");
  if (name === undefined) throw new Error("Pulumi.yaml has no plain `name:`; write it as a line of its own");
  const folder = value("stackConfigDir")?.replace(/^\.\/|\/$/g, "");
  return { name, folder: folder === undefined || folder === "" ? "" : `${folder}/` };
}

/** Whether a file is a regular stack file, new or changed; no link, no other mode, no removal. */
export function isStackFile({ path, modes: [before, after] }: ChangedFile, project: Project): boolean {
  const regular = (before === "100644" || before === "000000") && after === "100644";
  const name = path.startsWith(project.folder) ? path.slice(project.folder.length) : "";
  return regular && /^Pulumi\.[\w-][\w.-]*\.yaml$/.test(name);
}

/**
 * Whether two versions of a stack file differ in nothing but values of the project. Other sections choose who can read
 * the state's secrets, other namespaces configure providers, which can start programs; both are code.
 *
 * It reads lines, not YAML: a key of a block mapping begins its line at the mapping's column, whatever else the file
 * holds, so a key that Pulumi would see is seen here too. Text that only looks like a key makes a change code.
 */
export function onlyValuesDiffer(before: string | undefined, after: string, project: Project): boolean {
  const now = sections(after, project);
  if (before === undefined) return now?.others === "";
  return now !== undefined && now.others === sections(before, project)?.others;
}

// YAML takes more for an end of line than \n, and a key could hide behind one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
const hiddenLineEnds = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/** The sections of a file beside `config:`; undefined where `config:` holds something else than the project's keys. */
function sections(text: string, project: Project): { readonly others: string } | undefined {
  const others: string[] = [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.some((line) => hiddenLineEnds.test(line))) return undefined;
  let inConfig = false;
  let seen = false;
  let column: number | undefined;
  for (const line of lines) {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (indent === line.length || (line[indent] === "#" && (inConfig || indent === 0))) continue;
    if (indent === 0) {
      inConfig = /^config: *$/.test(line);
      if (inConfig && seen) return undefined;
      seen ||= inConfig;
    }
    if (!inConfig) others.push(line);
    else if (indent > 0) {
      column ??= indent;
      if (indent < column) return undefined;
      if (indent === column && !isValue(line.slice(indent), project)) return undefined;
    }
  }
  return seen ? { others: others.join("\n") } : undefined;
}

/** The keys of drawbridge's stacks, whatever the project is called. */
const ofStacks = /^drawbridge:(platform|team|hostKeySeed|frpSeed|imageRegistry):/;

/** Keys that choose the plugin of a package, as which the project may be called. */
const ofPlugin = /^[^:]*:(version|pluginDownloadURL):/;

const isValue = (key: string, { name }: Project) =>
  ofStacks.test(key) || (name !== "kubernetes" && key.startsWith(`${name}:`) && !ofPlugin.test(key));

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The tree that the merge would give. */
function mergedTree(commit: string): string {
  try {
    return git("merge-tree", "--write-tree", "HEAD", commit).trim();
  } catch (error) {
    const { status, stderr } = error as { status?: number; stderr?: string };
    const reason = status === 1 ? "it conflicts with the target branch; rebase it" : `${stderr}`.trim();
    throw new Error(`${commit} cannot be merged: ${reason}`);
  }
}

function main(commit: string | undefined): void {
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) {
    throw new Error(`"${commit ?? ""}" is no commit; give the full hash of the pull request's last one`);
  }
  const tree = mergedTree(commit);
  const project = readProject(readFileSync("Pulumi.yaml", "utf8"));
  const changed = readRawDiff(git("diff-tree", "-r", "--raw", "--no-renames", "HEAD", tree));
  const isValues = (file: ChangedFile) =>
    isStackFile(file, project) &&
    onlyValuesDiffer(
      file.modes[0] === "000000" ? undefined : git("show", `HEAD:${file.path}`),
      git("show", `${tree}:${file.path}`),
      project,
    );
  const code = changed.filter((file) => !isValues(file)).map(({ path }) => path);
  console.log(`target=${git("rev-parse", "HEAD").trim()}`);
  if (code.length > 0) {
    const rest = code.length > 20 ? ` and ${code.length - 20} more` : "";
    console.log(`kind=code\nfiles=${code.slice(0, 20).join(", ")}${rest}`);
    return;
  }
  if (changed.length > 0) git("checkout", tree, "--", ...changed.map(({ path }) => path));
  console.log("kind=stack-files\nfiles=");
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv[2]);
  } catch (error) {
    console.error(`change.ts: ${(error as Error).message}`);
    process.exitCode = 2;
  }
}
