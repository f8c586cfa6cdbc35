/** Public host keys, as copied from a machine or from known_hosts. */
import { WrongText, wrong } from "../common/fault.ts";
import { parseAuthorizedKey, readable } from "./authorized-keys.ts";

/** One public key, `ssh-ed25519 AAAA…`; what follows is a comment. */
export const hostPublicKey = readable((line) => {
  if (parseAuthorizedKey(line).options.length > 0) throw new WrongText(wrong("not-a-public-key"));
});

/** The key without its comment, as known_hosts has it. */
export function withoutComment(line: string): string {
  const { type, blob } = parseAuthorizedKey(line);
  return `${type} ${blob}`;
}
