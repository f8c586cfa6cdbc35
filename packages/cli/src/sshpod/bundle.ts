/** The archives of sshd that are copied into containers, one per machine type. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import { embeddedFile } from "../embedded.ts";

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
