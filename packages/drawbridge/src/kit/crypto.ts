/** Hashes of data, marks of secrets, private keys. */
import { createHash, createHmac, createPrivateKey, type KeyObject, scryptSync } from "node:crypto";
import { derive } from "./derivation.ts";

/** A short stable hash of plain data, independent of the order of its keys. */
export function hashOf(value: unknown, length = 12): string {
  return createHash("sha256")
    .update(JSON.stringify(withSortedKeys(value)))
    .digest("hex")
    .slice(0, length);
}

/** Plain data with the keys of its maps in order, since their order means nothing. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, withSortedKeys(inner)]),
  );
}

/** What the cluster keeps of a token: enough to recognise it, not to use it. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/**
 * The mark of a secret by a key, without which nobody can try whether a weak secret has it. A mark is safe to show; a new
 * secret has a new one, which restarts a pod that reads it at start.
 * @param key a secret of the same stack
 * @param place whose secret it is, so that the same one in two places has two marks
 */
export function keyedMark(key: string, place: string, secret: string): string {
  return createHmac("sha256", derive(key, "mark", place))
    .update(secret)
    .digest("hex");
}

/** The mark where there is no key. Slow on purpose, since a quick hash of a weak secret could be searched. */
export function slowMark(place: string, secret: string): string {
  return scryptSync(secret, place, 9).toString("hex");
}

// ASN.1 prefix of a PKCS8 ed25519 private key; the 32 secret bytes follow it.
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** The private key whose 32 secret bytes are given. */
export function ed25519Key(secret: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, secret]), format: "der", type: "pkcs8" });
}
