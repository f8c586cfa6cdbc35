import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Progress } from "../progress.ts";
import type { CrateFamily } from "./catalogue.ts";
import { ensureDebianPackages } from "./debian.ts";
import { ask, run } from "./run.ts";
import { findVersion, isAtLeast } from "./versions.ts";

// A crate's own release profile may optimise across all its parts at once, on one core. In a lab nobody would notice.
const FASTER = { CARGO_PROFILE_RELEASE_LTO: "off", CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16" } as const;

/** What decides a crate's program, besides its version. */
export const crateSettings = JSON.stringify(FASTER);

/** Builds a crate's program into `<folder>/bin`, with the dependency versions and checksums of the crate's own lock file. */
export async function buildCrate(family: CrateFamily, folder: string, progress: Progress): Promise<void> {
  const fault = await cargoFault(family);
  if (fault !== undefined) throw new Error(fault);
  await ensureDebianPackages(["gcc", "libc6-dev"], progress);
  const target = join(folder, "target");
  const flags = ["--locked", "--no-track", "--root", folder, "--target-dir", target];
  await run("cargo", ["install", family.crate, "--version", `=${family.version}`, ...flags], { env: FASTER });
  await rm(target, { recursive: true });
}

/** Why this machine cannot build a crate, and what to do; undefined where it can. No registry brings cargo itself. */
export async function cargoFault(family: CrateFamily): Promise<string | undefined> {
  const found = findVersion((await ask("cargo", ["--version"])) ?? "");
  if (found !== undefined && isAtLeast(found, family.rust)) return undefined;
  return `${family.crate} ${family.version} needs cargo ${family.rust} or newer, and ${found === undefined ? "there is none on PATH" : `the one on PATH is ${found}`}. Install it with: curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal && . "$HOME/.cargo/env"`;
}
