import type { Progress } from "../progress.ts";
import { ask, run } from "./run.ts";

/**
 * Installs Debian packages that are missing, and only those.
 * Needs root; without it the error says the command to run.
 */
export async function ensureDebianPackages(names: readonly string[], progress: Progress): Promise<void> {
  const missing = missingPackages(names, (await ask("dpkg-query", QUERY)) ?? "");
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
    if ((await ask("apt-get", [...WAIT, ...install], NO_QUESTIONS)) !== undefined) return;
    await run("apt-get", [...WAIT, "update"], NO_QUESTIONS);
    await run("apt-get", [...WAIT, ...install], NO_QUESTIONS);
  });
}

const QUERY = ["-W", "-f", "${binary:Package} ${db:Status-Status}\n"];
const NO_QUESTIONS = { env: { DEBIAN_FRONTEND: "noninteractive" } };
// Another apt-get may be at work: ours, or the system's own updates.
const WAIT = ["-o", "DPkg::Lock::Timeout=600", "-o", "APT::Get::Lock::Timeout=600"];

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
