/** Makes the archives that bundle.ts reads, from the image of packages/images/sshd-bundle. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const run = promisify(execFile);
// Where the image keeps the bundle, and what of it the sshpod way needs.
const root = "drawbridge";
const programs = ["busybox", "sshd", "sshd-auth", "sshd-session"].map((name) => `bin/${name}`);

/** Writes the archive of one architecture into `folder` and its hash into `hashes.json`; returns its path. */
export async function packBundle(
  imageArchive: string,
  architecture: string,
  folder: string,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, ".packing-"));
  try {
    await run("tar", ["-xf", imageArchive, "-C", work]);
    const [image] = JSON.parse(await readFile(join(work, "manifest.json"), "utf8")) as [{ Layers: string[] }];
    const files = join(work, "files");
    await mkdir(files);
    for (const layer of image.Layers) await run("tar", ["-xf", join(work, layer), "-C", files]);
    // The same bundle must give the same bytes, so that containers are not given it twice.
    const stable = [
      "--sort=name",
      "--mtime=@0",
      "--owner=0",
      "--group=0",
      "--numeric-owner",
      "--format=ustar",
    ];
    const { stdout } = await run("tar", [...stable, "-C", join(files, root), "-cf", "-", ...programs], {
      encoding: "buffer",
      maxBuffer: 256 * 1024 * 1024,
    });
    const packed = await promisify(gzip)(stdout, { level: 9 });
    const archive = join(folder, `sshd-bundle-${architecture}.tar.gz`);
    await writeFile(join(work, "archive"), packed);
    await rename(join(work, "archive"), archive);
    await noteHash(folder, architecture, createHash("sha256").update(packed).digest("hex"));
    return archive;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function noteHash(folder: string, architecture: string, hash: string): Promise<void> {
  const file = join(folder, "hashes.json");
  const known = JSON.parse(await readFile(file, "utf8").catch(() => "{}")) as Record<string, string>;
  await writeFile(file, `${JSON.stringify({ ...known, [architecture]: hash }, null, 2)}\n`);
}
