/** Marks of secrets that are safe to show. A new secret has a new mark, which restarts a pod that reads it at start. */
import { createHmac, hkdfSync, scryptSync } from "node:crypto";

/**
 * The mark by a key, without which nobody can try whether a weak secret has it.
 * @param key a secret of the same stack
 * @param place whose secret it is, so that the same one in two places has two marks
 */
export function keyedMark(key: string, place: string, secret: string): string {
  const own = hkdfSync("sha256", key, "drawbridge", `mark/v1/${place}`, 32);
  return createHmac("sha256", Buffer.from(own)).update(secret).digest("hex");
}

/** The mark where there is no key. Slow on purpose, since a quick hash of a weak secret could be searched. */
export function slowMark(place: string, secret: string): string {
  return scryptSync(secret, place, 9).toString("hex");
}
