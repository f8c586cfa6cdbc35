/** Who a container is, and by what it proves that. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Identity } from "../api-server.ts";
import { text } from "../read.ts";
import type { FindGrant } from "./grants.ts";

const label = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
const pattern = new RegExp(`^${label}\\.${label}$`);

/** The container that is called `<namespace>.<name>`, or undefined. Both are DNS labels, so there is one dot. */
export function parseUser(user: string): Identity | undefined {
  const dot = user.indexOf(".");
  return pattern.test(user) ? { namespace: user.slice(0, dot), name: user.slice(dot + 1) } : undefined;
}

/** What a grant knows of a token. */
export const hash = text("a SHA-256 hash", (value) => /^[0-9a-f]{64}$/i.test(value));

function isTokenOf(token: string, tokenSha256: string): boolean {
  const actual = createHash("sha256").update(token).digest();
  const expected = Buffer.from(tokenSha256, "hex");
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}

/** The grant of the container that has this token; or that there is none, or that nobody could be asked. */
export async function provenGrant<Grant extends { readonly tokenSha256: string }>(
  identity: Identity,
  token: string,
  find: FindGrant<Grant>,
): Promise<Grant | "unknown" | "failed"> {
  try {
    const grant = await find(identity);
    return grant !== undefined && isTokenOf(token, grant.tokenSha256) ? grant : "unknown";
  } catch {
    return "failed";
  }
}
