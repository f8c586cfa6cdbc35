import type { Progress } from "../progress.ts";
import { ensureDebianPackages } from "./debian.ts";
import { ask, run } from "./run.ts";

/**
 * Installs the wheels of a requirements file into a folder. Only wheels whose checksum is in the file are accepted, and nothing of
 * the system's Python changes.
 */
export async function installWheels(requirements: string, folder: string, progress: Progress): Promise<void> {
  if ((await ask("python3", ["-m", "pip", "--version"])) === undefined) {
    await ensureDebianPackages(["python3", "python3-pip"], progress);
  }
  const flags = [
    "--no-deps",
    "--require-hashes",
    "--only-binary=:all:",
    "--no-input",
    "--disable-pip-version-check",
  ];
  await run("python3", [
    "-m",
    "pip",
    "install",
    "--quiet",
    ...flags,
    "--target",
    folder,
    "--requirement",
    requirements,
  ]);
}
