import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Progress } from "../progress.ts";
import type { CrateFamily } from "./catalogue.ts";
import { ask, run } from "./run.ts";
import { findVersion, isAtLeast } from "./versions.ts";

/**
 * Installs Debian packages that are missing, and only those.
 * Needs root; without it the error says the command to run.
 */
export async function ensureDebianPackages(names: readonly string[], progress: Progress): Promise<void> {
  const missing = missingPackages(names, (await ask("dpkg-query", query)) ?? "");
  if (missing.length === 0) return;
  const install = ["install", "-y", "--no-install-recommends", ...missing];
  if ((await ask("apt-get", ["--version"])) === undefined) {
    throw new Error(
      `the Debian packages ${missing.join(", ")} are needed, and this system has no apt-get. Use Debian or Ubuntu, or install the same programs with your system's own package manager.`,
    );
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      `Debian packages are missing and only root can install them. Run: sudo apt-get update && sudo apt-get ${install.join(" ")}`,
    );
  }
  await progress.step(`Debian packages ${missing.join(" ")}: installing`, async () => {
    // The package lists of a fresh machine are empty or old, so a failure is tried once more with new ones.
    if ((await ask("apt-get", [...waitForLocks, ...install], noQuestions)) !== undefined) return;
    await run("apt-get", [...waitForLocks, "update"], noQuestions);
    await run("apt-get", [...waitForLocks, ...install], noQuestions);
  });
}

const query = ["-W", "-f", "${binary:Package} ${db:Status-Status}\n"];
const noQuestions = { env: { DEBIAN_FRONTEND: "noninteractive" } };
// Another apt-get may be at work: ours, or the system's own updates.
const waitForLocks = ["-o", "DPkg::Lock::Timeout=600", "-o", "APT::Get::Lock::Timeout=600"];

/**
 * Which of `names` are not installed.
 * @param listing lines of `name[:architecture] status`, as dpkg-query prints them
 */
export function missingPackages(names: readonly string[], listing: string): string[] {
  const installed = new Set(
    listing
      .split("\n")
      .filter((line) => line.endsWith(" installed"))
      .map((line) => line.split(/[: ]/)[0]),
  );
  return names.filter((name) => !installed.has(name));
}

/** Makes sure that `python3` is there, with pip and virtual environments. */
export async function ensurePython(progress: Progress): Promise<void> {
  if ((await ask("python3", ["-c", "import ensurepip, pip"])) === undefined) {
    await ensureDebianPackages(["python3", "python3-pip", "python3-venv"], progress);
  }
}

/**
 * Installs the wheels of a requirements file into a folder. Only wheels whose checksum is in the file are accepted, and
 * nothing of the system's Python changes.
 */
export async function installWheels(requirements: string, folder: string, progress: Progress): Promise<void> {
  await ensurePython(progress);
  const install = ["install", "--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"];
  const pip = ["-m", "pip", ...install, "--no-input", "--disable-pip-version-check"];
  await run("python3", [...pip, "--target", folder, "--requirement", requirements]);
}

// A lab needs neither a crate's own release profile, which may optimise all parts at once on one core, nor dufs' one
// default feature, TLS, which ends at the proxy in front of it.
const faster = {
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "1",
} as const;
const locked = ["--locked", "--no-track", "--no-default-features"] as const;

/** What decides a crate's program, besides its version. */
export const crateSettings = JSON.stringify([faster, locked]);

/** Builds a crate's program into `<folder>/bin`, with the dependency versions and checksums of the crate's own lock file. */
export async function buildCrate(family: CrateFamily, folder: string, progress: Progress): Promise<void> {
  const fault = await cargoFault(family);
  if (fault !== undefined) throw new Error(fault);
  await ensureDebianPackages(["gcc", "libc6-dev"], progress);
  const target = join(folder, "target");
  const flags = [...locked, "--root", folder, "--target-dir", target];
  await run("cargo", ["install", family.crate, "--version", `=${family.version}`, ...flags], { env: faster });
  await rm(target, { recursive: true });
}

/** Why this machine cannot build a crate, and what to do; undefined where it can. No registry brings cargo itself. */
export async function cargoFault(family: CrateFamily): Promise<string | undefined> {
  const found = findVersion((await ask("cargo", ["--version"])) ?? "");
  if (found !== undefined && isAtLeast(found, family.rust)) return undefined;
  return `${family.crate} ${family.version} needs cargo ${family.rust} or newer, and ${found === undefined ? "there is none on PATH" : `the one on PATH is ${found}`}. Install it as https://www.rust-lang.org/tools/install says (the profile "minimal" is enough), then run this again.`;
}
