/**
 * Who the laptop is to a pod, and who the pod is to the laptop. Both keys are the laptop's: the client key is
 * made once; the host key of each container is derived from a secret that never leaves the laptop, so the
 * laptop knows it before the first contact, and no pod can pass for another.
 */
import { createHash, createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deriveHostKey, type HostKey, readHostKey } from "@drawbridge-iac/manifests/host-key";
import { knownHostsLine, knownHostsName } from "@drawbridge-iac/manifests/known-hosts";
import { CliError } from "../faults.ts";
import type { Place } from "./pod.ts";

/** Files of the sshpod way below the state folder. */
export function identityFiles(stateFolder: string) {
  const folder = join(stateFolder, "sshpod");
  return {
    folder,
    clientKey: join(folder, "id_ed25519"),
    seed: join(folder, "host-key-seed"),
    knownHosts: join(folder, "known_hosts"),
  } as const;
}

export interface Identity {
  /** One line, `ssh-ed25519 AAAA… drawbridge`. */
  readonly clientPublicKey: string;
  hostKey(place: Place): HostKey;
  /** Name of the folder for this laptop and this login name, inside ours in the container (`scripts.ts`). */
  session(place: Place, user: string): string;
  /** Suffix for our folder if others have taken its name: nobody guesses it without this laptop's secret. */
  secretSuffix(place: Place): string;
}

/** Reads the laptop's keys, or makes them at the first use. */
export async function loadIdentity(stateFolder: string): Promise<Identity> {
  const files = identityFiles(stateFolder);
  try {
    await mkdir(files.folder, { recursive: true, mode: 0o700 });
    const client = readHostKey(await readOrMake(files.clientKey, newPrivateKey));
    const seed = await readOrMake(files.seed, () => randomBytes(32).toString("base64"));
    const clientPublicKey = `${client.publicKey} drawbridge`;
    await readOrMake(`${files.clientKey}.pub`, () => `${clientPublicKey}\n`);
    const containerId = (place: Place) => `sshpod/${place.podUid}/${place.container}`;
    return {
      clientPublicKey,
      hostKey: (place) => deriveHostKey(seed.trim(), containerId(place)),
      secretSuffix: (place) =>
        createHmac("sha256", seed)
          .update(`folder/${containerId(place)}`)
          .digest("hex")
          .slice(0, 32),
      session: (place, user) =>
        createHash("sha256")
          .update(`${client.publicKey} ${containerId(place)} ${user}`)
          .digest("hex")
          .slice(0, 16),
    };
  } catch (error) {
    throw new CliError(
      `the keys in ${files.folder} cannot be read or made: ${(error as Error).message}; make the folder writable, or name another one with DRAWBRIDGE_HOME`,
    );
  }
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return readHostKey(privateKey.export({ format: "pem", type: "pkcs8" }) as string).privateKey;
}

/** Of two programs that start at once, one makes the file and both read the same. */
async function readOrMake(file: string, make: () => string): Promise<string> {
  const read = () => readFile(file, "utf8");
  return read().catch(async (error: NodeJS.ErrnoException) => {
    // Stryker disable next-line ConditionalExpression: what can be read is read again and fails with the same error
    if (error.code !== "ENOENT") throw error;
    const fresh = freshName(file);
    await writeFile(fresh, make(), { mode: 0o600 });
    // Stryker disable next-line BlockStatement: without a link there is no file, so the reading after it fails
    await link(fresh, file).catch((failed: NodeJS.ErrnoException) => {
      // Stryker disable next-line ConditionalExpression: the same
      if (failed.code !== "EEXIST") throw failed;
    });
    await unlink(fresh);
    return read();
  });
}

/**
 * Pins a container's host key under the name that ssh will look up. ssh reads the file after the proxy has
 * connected, so it must be right by then.
 */
export async function pinHostKey(
  stateFolder: string,
  host: string,
  port: number,
  key: HostKey,
): Promise<void> {
  const { knownHosts } = identityFiles(stateFolder);
  const before = await readFile(knownHosts, "utf8").catch(() => "");
  const after = withPinnedKey(before, host, port, key.publicKey);
  if (after === before) return;
  const fresh = freshName(knownHosts);
  await writeFile(fresh, after, { mode: 0o600 });
  await rename(fresh, knownHosts);
}

/** The known_hosts text with exactly this key for this name; other names' lines stay as they are. */
export function withPinnedKey(text: string, host: string, port: number, publicKey: string): string {
  const name = knownHostsName(host, port);
  const line = knownHostsLine([host], port, publicKey).trimEnd();
  const lines = text.split("\n").filter((existing) => existing !== "");
  if (lines.includes(line)) return text;
  return [...lines.filter((existing) => existing.split(" ", 1)[0] !== name), line, ""].join("\n");
}

function freshName(file: string): string {
  return `${file}.${randomBytes(6).toString("hex")}`;
}
