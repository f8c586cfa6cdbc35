/**
 * `npm run release -- --dry-run`: makes everything that a release publishes, in one folder, and publishes nothing.
 * `npm run release -- --set-version 0.2.0` moves the version of packages, images and texts, `--set-repository OWNER/NAME`
 * their public address.
 * The workflow `.github/workflows/release.yml` runs the dry run on a tag and publishes what it made.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { lineProgress } from "@drawbridge-iac/lab";
import { repositoryFault, setRepository } from "./lib/repository.ts";
import { projectVersion, setVersion, versionFaults } from "./lib/versions.ts";
import { makeExecutables } from "./release/executables.ts";
import { makeImages, makeSshdArchives } from "./release/images.ts";
import { makeSbom } from "./release/inventory.ts";
import { writeNotes } from "./release/notes.ts";
import { makePackages } from "./release/packages.ts";
import { makeSdks } from "./release/sdks.ts";

const parts = ["sshd", "npm", "sdks", "executables", "images"] as const;
type Part = (typeof parts)[number];

const folders: Readonly<Record<Part, string>> = {
  sshd: "sshd",
  npm: "npm",
  sdks: "sdks",
  executables: "bin",
  images: "images",
};

const usage = `usage: npm run release -- --dry-run [--out FOLDER] [--only PART,…]
       npm run release -- --set-version X.Y.Z | --set-repository OWNER/NAME
  --dry-run          make all artifacts, publish nothing
  --out FOLDER       where to put them, emptied first (default: release)
  --only PART,…      of ${parts.join(", ")}; other parts in the folder stay, and it is no whole release
  --set-version V    write another version into packages, image tags and texts
  --set-repository R write the public address on GitHub into package.json and texts`;

function refuse(reason: string): never {
  console.error(`release: ${reason}\n${usage}`);
  process.exit(2);
}

function options() {
  try {
    return parseArgs({
      options: {
        "dry-run": { type: "boolean", default: false },
        out: { type: "string", default: "release" },
        only: { type: "string" },
        "set-version": { type: "string" },
        "set-repository": { type: "string" },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function chosenParts(only: string | undefined): readonly Part[] {
  if (only === undefined) return parts;
  const named = only.split(",");
  const unknown = named.filter((name) => !(parts as readonly string[]).includes(name));
  if (unknown.length > 0) refuse(`there is no part ${unknown.join(" or ")}; use ${parts.join(", ")}`);
  return parts.filter((part) => named.includes(part));
}

/** SHA256SUMS of everything in the folder, by file name alone: the files of a release lie in one flat list. */
function writeSums(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((one, other) => (basename(one) < basename(other) ? -1 : 1));
  const lines = files.map(
    (file) => `${createHash("sha256").update(readFileSync(file)).digest("hex")}  ${basename(file)}\n`,
  );
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
  return files;
}

async function make(out: string, chosen: readonly Part[]): Promise<void> {
  const version = projectVersion();
  const progress = lineProgress();
  const has = (part: Part) => chosen.includes(part);
  const at = (part: Part) => join(out, folders[part]);
  // A part alone leaves the others there, which a clone's packages and wheel are made of one after the other.
  const emptied = chosen.length < parts.length ? [...chosen.map(at), join(out, "SHA256SUMS")] : [out];
  for (const folder of emptied) rmSync(folder, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const sshd = has("sshd") ? at("sshd") : undefined;
  if (sshd !== undefined) await makeSshdArchives(sshd, progress);
  if (has("npm")) await progress.step("npm packages", () => makePackages(at("npm"), sshd));
  if (has("sdks")) await makeSdks(at("sdks"), version, progress);
  if (has("executables")) {
    await progress.step("executables", () => makeExecutables(at("executables"), version, sshd));
  }
  if (has("images")) await makeImages(at("images"), version, progress);
  await progress.step("SBOM", async () => makeSbom(join(out, `drawbridge-${version}.cdx.json`), version));
  writeNotes(join(out, "NOTES.md"), version, at("images"));
  const files = writeSums(out);
  console.log(`${files.length} files of version ${version} in ${out}; nothing was published`);
  if (chosen.length < parts.length) {
    console.log(`not a whole release: ${parts.filter((part) => !has(part)).join(", ")} left out`);
  }
}

const { out, only, "dry-run": dryRun, "set-version": next, "set-repository": address } = options();
if (next !== undefined) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(next)) refuse(`"${next}" is no version; write it like 1.2.3`);
  setVersion(next);
  console.log(`version ${next} everywhere; write what changed into CHANGELOG.md, then run npm install`);
} else if (address !== undefined) {
  if (!/^[\w.-]+\/[\w.-]+$/.test(address)) refuse(`"${address}" is no repository; write it like owner/name`);
  setRepository(address);
  console.log(`the public address is github.com/${address} everywhere`);
} else {
  if (!dryRun) refuse("a release is published by .github/workflows/release.yml, from a tag; say --dry-run");
  const chosen = chosenParts(only);
  const faults = versionFaults();
  const unfit =
    faults.length > 0
      ? `the versions do not agree:\n  ${faults.join("\n  ")}`
      : chosen.length === parts.length && repositoryFault();
  if (unfit) {
    console.error(`release: ${unfit}`);
    process.exit(1);
  }
  if (existsSync(join(out, ".git"))) refuse(`${resolve(out)} is a repository, not a folder for artifacts`);
  await make(resolve(out), chosen);
}
