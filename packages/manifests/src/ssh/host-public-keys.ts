/** Public host keys, as copied from a machine or from known_hosts. */
import { z } from "zod";
import { WrongText, wrong } from "../common/fault.ts";
import { parseAuthorizedKey } from "./authorized-keys.ts";

/** One public key, `ssh-ed25519 AAAA…`; what follows is a comment. */
export const hostPublicKey = z.string().superRefine((line, context) => {
  try {
    if (parseAuthorizedKey(line).options.length > 0) throw new WrongText(wrong("not-a-public-key"));
  } catch (error) {
    context.addIssue({ code: "custom", params: { wrong: (error as WrongText).wrong }, input: undefined });
  }
});

/** The key without its comment, as known_hosts has it. */
export function withoutComment(line: string): string {
  const { type, blob } = parseAuthorizedKey(line);
  return `${type} ${blob}`;
}
