import { createPrivateKey, type KeyObject } from "node:crypto";

// ASN.1 prefix of a PKCS8 ed25519 private key; the 32 secret bytes follow it.
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** The private key whose 32 secret bytes are given. */
export function ed25519Key(secret: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, secret]), format: "der", type: "pkcs8" });
}
