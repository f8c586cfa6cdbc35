/**
 * What ssh starts. The paths of Node and of this program change with each upgrade of either, and ssh, started by an
 * editor, has another PATH than a shell. So a ProxyCommand names a small script of ours that stays where it is and
 * looks for the program: first where it was, then on PATH and where installers put it.
 */
import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { filled } from "@drawbridge-iac/manifests/program";
import { starterSh } from "./made/programs.ts";
import { selfCommand, thisOs } from "./self.ts";
import type { SshFiles } from "./ssh-files.ts";

/** How a ProxyCommand starts this program. Windows has no such script, so its paths stand there themselves. */
export function starterOf(files: SshFiles): string[] {
  return thisOs() === "windows" ? selfCommand() : [files.starter];
}

export async function writeStarter(files: SshFiles): Promise<void> {
  if (thisOs() === "windows") return;
  const text = starterText(selfCommand());
  if ((await readFile(files.starter, "utf8").catch(() => undefined)) === text) return;
  const fresh = `${files.starter}.new`;
  await writeFile(fresh, text, { mode: 0o700 });
  await chmod(fresh, 0o700);
  await rename(fresh, files.starter);
}

/** @param command the program as it was started now: Node and the script, or an executable alone */
export function starterText(command: readonly string[]): string {
  const [program = "", script] = command.map(quoted);
  const isScript = script !== undefined;
  return filled(starterSh, { PROGRAM: program, SCRIPT: script ?? "", SCRIPTED: isScript, ALONE: !isScript });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
