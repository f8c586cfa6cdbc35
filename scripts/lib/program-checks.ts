/** What shellcheck, luacheck and actionlint find in programs in shell and Lua and in workflows. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { ensureDebianPackages, ensureTools, lineProgress, toolVersions } from "@drawbridge-iac/lab";
import { isPart } from "../programs.ts";

const output = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8" });

function faultsOf(command: string, ...args: string[]): string[] {
  const { status, stdout, stderr, error } = output(command, ...args);
  if (status === 0) return [];
  return `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trimEnd().split("\n");
}

/** @param tracked all files of the repository: also those that only their first line says to be shell */
export async function shellFaults(tracked: readonly string[]): Promise<string[]> {
  const isShell = (file: string) =>
    file.endsWith(".sh") ||
    (!basename(file).slice(1).includes(".") && /^#!\S*\/(ba)?sh\n/.test(readFileSync(file, "utf8")));
  const programs = tracked.filter((file) => isShell(file) && !isPart(file));
  return faultsOf(await shellcheck(), "--format=gcc", "--check-sourced", ...programs);
}

/** The pinned one: the user's own, or PyPI's, which has it for x86-64 and macOS. */
async function shellcheck(): Promise<string> {
  const version = toolVersions().shellcheck.replace(/^v(\d+\.\d+\.\d+).*$/, "version: $1\n");
  if (output("shellcheck", "--version").stdout?.includes(version)) return "shellcheck";
  return (await ensureTools(["shellcheck"], lineProgress())).shellcheck;
}

export async function luaFaults(programs: readonly string[]): Promise<string[]> {
  // No registry but the distributions' has it; Debian 12 has 1.1, Debian 13 has 1.2.
  if (output("luacheck", "--version").status !== 0) await ensureDebianPackages(["lua-check"], lineProgress());
  return faultsOf("luacheck", "--quiet", "--formatter=plain", "--codes", ...programs);
}

/** Also the shell in their steps. */
export async function workflowFaults(workflows: readonly string[]): Promise<string[]> {
  const { actionlint } = await ensureTools(["actionlint"], lineProgress());
  return faultsOf(actionlint, "-oneline", "-shellcheck", await shellcheck(), ...workflows);
}
