/**
 * Host keys are made here: derived from one secret seed (HKDF-SHA256 over `host-key/v1/<namespace>/<name>`, salt
 * `drawbridge`), so that they are stable, known at preview and need no plugin; or read from the text of a private key. A
 * key's way from here: `host/keys/host-keys.ts` marks it as a secret, the Secret in `host/sshd/files.ts`, its mount in
 * `host/sshd/volumes.ts`, and `drawbridge-sshd` of the image, which copies it to where sshd reads it. Clients know its
 * public half by `host/component.ts`, whose lines `host/client-texts/known-hosts.ts` writes.
 */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { ed25519Key } from "../../kit/crypto.ts";
import { derive } from "../../kit/derivation.ts";
import type { Input, MakeWhenKnown } from "../../kit/input.ts";

/** An ed25519 host key in the formats of OpenSSH. */
export interface HostKey {
  /** Secret: the private key file's text. */
  readonly privateKey: string;
  /** One line, `ssh-ed25519 AAAA…`, without a comment. */
  readonly publicKey: string;
}

/** The shortest seed that is accepted, in characters. */
export const minimumSeedLength = 32;

/**
 * The host key of one container.
 * @param seed secret of the stack, at least 32 characters (`openssl rand -base64 32`)
 * @param identity what the key belongs to, `<namespace>/<name>` by default; the same identity with the same
 *   seed gives the same key in every stack
 * @param generation counts the keys of one seed and identity
 */
export function deriveHostKey(seed: string, identity: string, generation = 1): HostKey {
  if (seed.length < minimumSeedLength) {
    throw new Error(
      `the host key seed is too short; use at least ${minimumSeedLength} characters, for example from: openssl rand -base64 32`,
    );
  }
  const name = generation === 1 ? identity : `${identity}#${generation}`;
  // 32 for the key, 4 for the file's check number.
  const bytes = derive(seed, "host-key", name, 36);
  return encode(bytes.subarray(0, 32), bytes.readUInt32BE(32));
}

/** What a host key is made of: one of `seed` and `privateKey`, which the arguments' schema sees to. */
export interface HostKeySource {
  readonly seed?: Input<string> | undefined;
  readonly privateKey?: Input<string> | undefined;
  readonly generation?: Input<number> | undefined;
}

/** A host whose sshd is ours: what its keys are made of, and the identity that they are for. */
export interface HostKeyed {
  readonly hostKey: HostKeySource & { readonly next?: HostKeySource | undefined };
  readonly hostIdentity: Input<string>;
}

/** The host key of a host: derived from its seed, or read from its private key. */
export function hostKeyOf<R>(
  { seed, privateKey, generation }: HostKeySource,
  identity: Input<string>,
  when: MakeWhenKnown<HostKey, R>,
): R {
  return seed === undefined
    ? when(privateKey as Input<string>, readHostKey)
    : when({ seed, identity, generation }, (known) =>
        deriveHostKey(known.seed, known.identity, known.generation),
      );
}

/** The host key in an unencrypted ed25519 private key file (OpenSSH or PKCS8 format). */
export function readHostKey(privateKey: string): HostKey {
  const text = privateKey.trim();
  if (text.startsWith("-----BEGIN OPENSSH PRIVATE KEY-----")) return readOpenSsh(text);
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType !== "ed25519") throw new Error(refusal);
    const der = key.export({ format: "der", type: "pkcs8" });
    const seed = der.subarray(der.length - 32);
    return encode(seed, seed.readUInt32BE(0));
  } catch {
    throw new Error(refusal);
  }
}

/** What is wrong of a text that is none. */
export const noHostKey =
  "is not an unencrypted ed25519 private key; make one with: ssh-keygen -t ed25519 -N '' -f host_key";
const refusal = `the host key ${noHostKey}`;

export function isHostKey(text: string): boolean {
  try {
    return readHostKey(text).publicKey !== "";
  } catch {
    return false;
  }
}

function publicBytes(secret: Buffer): Buffer {
  const der = createPublicKey(ed25519Key(secret)).export({ format: "der", type: "spki" });
  return der.subarray(der.length - 32);
}

/** As SSH writes a text or bytes: their length before them. */
function field(value: Buffer | string): Buffer {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** OpenSSH's private key format (PROTOCOL.key); `check` is its twice-stored integrity number. */
function encode(secret: Buffer, check: number): HostKey {
  const publicKey = publicBytes(secret);
  const publicBlob = Buffer.concat([field("ssh-ed25519"), field(publicKey)]);
  const number = Buffer.alloc(4);
  number.writeUInt32BE(check);
  const inner = Buffer.concat([
    number,
    number,
    publicBlob,
    field(Buffer.concat([secret, publicKey])),
    field("drawbridge"),
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (inner.length % 8)) % 8 }, (_, index) => index + 1));
  const count = Buffer.from([0, 0, 0, 1]);
  const blob = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    field("none"),
    field("none"),
    field(""),
    count,
    field(publicBlob),
    field(Buffer.concat([inner, padding])),
  ]);
  const lines = blob.toString("base64").match(/.{1,70}/g) ?? [];
  return {
    privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join("\n")}\n-----END OPENSSH PRIVATE KEY-----\n`,
    publicKey: `ssh-ed25519 ${publicBlob.toString("base64")}`,
  };
}

function readOpenSsh(text: string): HostKey {
  const blob = Buffer.from(text.replace(/-----[^-]+-----/g, "").replace(/\s/g, ""), "base64");
  let at = "openssh-key-v1\0".length;
  const next = (source: Buffer): Buffer => {
    const length = source.readUInt32BE(at);
    const value = source.subarray(at + 4, at + 4 + length);
    if (value.length !== length) throw new Error(refusal);
    at += 4 + length;
    return value;
  };
  try {
    const cipher = next(blob).toString();
    if (cipher !== "none") throw new Error(refusal);
    // Name and options of the key derivation, the number of keys, the public key.
    next(blob);
    next(blob);
    at += 4;
    next(blob);
    const inner = next(blob);
    const check = inner.readUInt32BE(0);
    // It stands there twice.
    at = 8;
    if (next(inner).toString() !== "ssh-ed25519") throw new Error(refusal);
    next(inner);
    return encode(next(inner).subarray(0, 32), check);
  } catch {
    throw new Error(refusal);
  }
}
