/** The archives of sshd that are copied into containers, one per machine type. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CliError } from "../faults.ts";
import { embeddedFile } from "../self.ts";

/** Machine types as `uname -m` names them, and as archives are named. */
const architectures: Readonly<Record<string, string>> = {
  x86_64: "amd64",
  amd64: "amd64",
  aarch64: "arm64",
  arm64: "arm64",
};

export interface Bundle {
  /** Names the copy in the container, so that a newer archive does not meet an older copy. */
  readonly hash: string;
  /** Reads the archive, a compressed tar with `bin/sshd`, `bin/sshd-session`, `bin/sshd-auth`, `bin/busybox`. */
  read(): Promise<Buffer>;
}

/**
 * The bundle for a machine type. `hashes.json` beside the archives saves hashing megabytes per connection.
 * @param folder of the archives; without one they are inside the executable
 */
export async function findBundle(folder: string | undefined, machine: string): Promise<Bundle> {
  const architecture = architectures[machine];
  if (architecture === undefined) {
    throw new CliError(
      `the container runs on a ${machine} machine; sshpod brings sshd for amd64 (x86_64) and arm64 (aarch64) only`,
    );
  }
  const read = async (name: string) =>
    folder === undefined ? embeddedFile(name) : await readFile(join(folder, name));
  const hashes = await read("hashes.json").catch(() => "{}");
  const hash = (JSON.parse(hashes.toString()) as Record<string, string>)[architecture];
  if (hash === undefined) {
    throw new CliError(
      `the sshd archive for ${architecture} is not in ${folder ?? "this executable"}; install the released package, since one packed with --only npm has none, or name a folder that holds it with DRAWBRIDGE_SSHD_BUNDLE`,
    );
  }
  return { hash: hash.slice(0, 16), read: () => read(`sshd-bundle-${architecture}.tar.gz`) };
}

const blockBytes = 512;

/** The content of one file of a compressed tar archive, by its path without a leading `./`. */
export async function fileInTar(archive: Buffer, path: string): Promise<Buffer> {
  const found = (await filesInTar(archive)).get(path);
  if (found === undefined) throw new Error(`the sshd archive holds no ${path}; install the package again`);
  return found;
}

/** What `sha256sum -c` reads, for the files of one folder of the archive. */
export async function sumsOf(archive: Buffer, folder: string): Promise<string> {
  const files = [...(await filesInTar(archive))].filter(
    ([path]) => path.startsWith(`${folder}/`) && !path.endsWith("/"),
  );
  const sum = (content: Buffer) => createHash("sha256").update(content).digest("hex");
  return files.map(([path, content]) => `${sum(content)}  ${path.slice(folder.length + 1)}`).join("\n");
}

/** The files of a compressed tar archive, by their paths without a leading `./`. */
async function filesInTar(archive: Buffer): Promise<Map<string, Buffer>> {
  const tar = await promisify(gunzip)(archive);
  const files = new Map<string, Buffer>();
  const text = (at: number, length: number) => tar.toString("latin1", at, at + length).replace(/\0.*$/s, "");
  // A header is a block, with the file's name at 0 and its size, in octal, at 124.
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const name = text(at, 100);
    if (name === "") break;
    const bytes = Number.parseInt(text(at + 124, 12), 8);
    files.set(name.replace(/^\.\//, ""), tar.subarray(at + blockBytes, at + blockBytes + bytes));
    at += blockBytes + Math.ceil(bytes / blockBytes) * blockBytes;
  }
  return files;
}
