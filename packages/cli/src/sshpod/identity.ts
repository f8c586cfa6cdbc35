/**
 * Who the laptop is to a pod, and who the pod is to the laptop. Both keys are the laptop's: the client key is
 * made once; the host key of each container is derived from a secret that never leaves the laptop, so the
 * laptop knows it before the first contact, and no pod can pass for another.
 */
import { createHash, createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { knownHostsLine, knownHostsName } from "@drawbridge-iac/drawbridge/src/host/client-texts/known-hosts";
import { deriveHostKey, type HostKey, readHostKey } from "@drawbridge-iac/drawbridge/src/host/keys/host-key";
import { CliError } from "../faults.ts";
import { readOptional } from "../files.ts";
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
  // A letter for each byte, so that places in the text are places in the file.
  const before = (await readOptional(knownHosts))?.toString("latin1") ?? "";
  for (const { at, text } of pinWrites(before, host, port, key.publicKey)) {
    const file = await open(knownHosts, at === undefined ? "a" : "r+", 0o600);
    await file.write(text, at).finally(() => file.close());
  }
}

/**
 * What to write, and where, so that a known_hosts text has this key alone for this name; at its end if no place is named.
 * No other line moves: logins to other pods may write at the same time.
 */
export function pinWrites(
  before: string,
  host: string,
  port: number,
  publicKey: string,
): { readonly at?: number; readonly text: string }[] {
  const line = knownHostsLine([host], port, publicKey);
  const writes = [];
  let isThere = false;
  let at = 0;
  for (const found of before.split(/(?<=\n)/)) {
    if (found.split(" ", 1)[0] === knownHostsName(host, port)) {
      const fits = found.length === line.length;
      isThere ||= fits;
      // What does not fit becomes a comment.
      if (found !== line) writes.push({ at, text: fits ? line : "#" });
    }
    at += found.length;
  }
  if (isThere) return writes;
  return [...writes, { text: before === "" || before.endsWith("\n") ? line : `\n${line}` }];
}

function freshName(file: string): string {
  return `${file}.${randomBytes(6).toString("hex")}`;
}
