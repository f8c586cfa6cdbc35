/** A folder with what a release of Pulumi has: the CLI, the language host of Node and the Kubernetes provider. */
import { spawnSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasOwnPulumi } from "../../../packages/lab/src/own-pulumi.ts";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { pulumiTools } from "../../../packages/lab/src/pulumi.ts";

/** A script that becomes another program, whatever the caller's PATH and options of Node are. */
export function starter(program: string, ...args: string[]): string {
  const words = [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  return `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`;
}

/**
 * Fills the folder with links to programs of the user's own Pulumi, if there is one. A CLI that was built here comes
 * without a language host of Node, so the tests' own takes its place.
 */
export async function pulumiRelease(folder: string): Promise<Record<string, string>> {
  const { env } = await pulumiTools(silentProgress);
  const place = (name: string) =>
    spawnSync("/bin/sh", ["-c", `command -v ${name}`], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    }).stdout.trim();
  await mkdir(folder, { recursive: true });
  const programs = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-kubernetes"];
  for (const name of programs) {
    const found = place(name);
    if (found !== "") await symlink(found, join(folder, name));
  }
  if (!hasOwnPulumi()) {
    const host = join(process.cwd(), "test/support/engine/language-host.ts");
    const text = starter(process.execPath, "--disable-warning=ExperimentalWarning", host);
    await writeFile(join(folder, "pulumi-language-nodejs"), text, { mode: 0o755 });
  }
  const { PATH: _, ...rest } = env;
  return rest;
}
