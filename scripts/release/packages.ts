/** The npm tarballs, each looked at the way npm's users will meet it. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lock } from "@drawbridge-iac/lab";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import {
  build,
  missingFiles,
  type PublishedPackage,
  pack,
  publishedPackages,
  run,
  stage,
} from "../lib/published.ts";

/** Builds, checks and packs every published package into `target`. */
export async function makePackages(target: string, sshdArchives: string | undefined): Promise<void> {
  mkdirSync(target, { recursive: true });
  mkdirSync(".drawbridge", { recursive: true });
  // Each build empties the packages' own `dist` first.
  const unlock = await lock(".drawbridge/packages.lock", () => console.log("waiting for another build …"));
  try {
    for (const name of publishedPackages) await makePackage(name, target, sshdArchives);
  } finally {
    await unlock();
  }
}

async function makePackage(name: PublishedPackage, target: string, sshdArchives?: string): Promise<void> {
  build(name);
  const staged = join(target, `.${name}`);
  stage(name, staged, sshdArchives);
  const tarball = pack(staged, target);
  const faults = [
    ...missingFiles(staged).map((file) => `${file} is not there`),
    ...(await lint(staged, tarball)),
  ];
  if (faults.length > 0) throw new Error(`${tarball}:\n  ${faults.join("\n  ")}`);
  run("rm", ["-r", staged]);
}

/**
 * What publint and "are the types wrong" say against a package. Its one form is an ES module, which Node lets CommonJS
 * `require`; the declarations that older TypeScript needs for that say CommonJS, and both are told that it is meant so.
 */
async function lint(staged: string, tarball: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: staged, pack: "npm", strict: true });
  const unmeant = messages.filter(({ code }) => code !== "EXPORTS_TYPES_INVALID_FORMAT");
  const said = unmeant.map((message) => formatMessage(message, pkg) ?? message.code);
  const { exports = {} } = JSON.parse(readFileSync(join(staged, "package.json"), "utf8")) as {
    exports?: object;
  };
  // A package with nothing to import has no types that could be wrong.
  if (!Object.keys(exports).some((path) => path !== "./package.json")) return said;
  try {
    const meant = ["--ignore-rules", "false-cjs", "cjs-resolves-to-esm"];
    run("attw", [tarball, ...meant, "--format", "ascii", "--no-emoji"]);
    return said;
  } catch (error) {
    return [...said, (error as Error).message];
  }
}
