/** This very program: its version, its files, and how it is started. */

import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { getAsset, isSea } from "node:sea";
import { fileURLToPath } from "node:url";
import { filled } from "@drawbridge-iac/drawbridge/src/kit/program";
import description from "../package.json" with { type: "json" };
import type { SshFiles } from "./files.ts";
import { starterSh } from "./generated/programs.ts";

/** The bundler copies it into the program, so it is right in the single executable too. */
export const version = description.version;

/** Whether this is the single executable: Node's own program with the command and its files inside. */
export const isExecutable = isSea;

/** A file inside the executable. */
export function embeddedFile(name: string): Buffer {
  return Buffer.from(getAsset(name));
}

/**
 * Where the sshd archives are: the folder that `DRAWBRIDGE_SSHD_BUNDLE` names, else `bundle` of this package, or nothing
 * where they are inside the executable.
 * This file stays directly in `src`, as its code comes to stand directly in `dist`.
 */
export function bundleFolder(): string | undefined {
  if (process.env.DRAWBRIDGE_SSHD_BUNDLE) return process.env.DRAWBRIDGE_SSHD_BUNDLE;
  return isExecutable() ? undefined : fileURLToPath(new URL("../bundle", import.meta.url));
}

/** The words that start this program again, by full paths. */
function selfCommand(): string[] {
  const [node, script] = isExecutable() ? [process.execPath] : process.argv;
  return [node, script].filter((word) => word !== undefined);
}

/** The operating system as client texts name it. */
export function thisOs() {
  if (process.platform === "win32") return "windows";
  return process.platform === "darwin" ? "macos" : "linux";
}

/**
 * What ssh starts. The paths of Node and of this program change with each upgrade of either, and ssh, started by an
 * editor, has another PATH than a shell. So a ProxyCommand names a small script of ours that stays where it is and
 * looks for the program: first where it was, then where installers put it and on PATH. A shell reads it, since homes that are mounted noexec start
 * no script. On Windows there is no such
 * script, and the ProxyCommand names the paths themselves, with / in place of a backslash, which ssh takes there too.
 */
export function starterOf(files: SshFiles): string[] {
  if (thisOs() !== "windows") return ["/bin/sh", files.starter];
  return selfCommand().map((word) => word.replaceAll("\\", "/"));
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
  const [program = "", script] = command.map(forShell);
  const isScript = script !== undefined;
  return filled(starterSh, { PROGRAM: program, SCRIPT: script ?? "", SCRIPTED: isScript, ALONE: !isScript });
}

export function forShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
