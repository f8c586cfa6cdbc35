/** Hosts that the user has logged in to under a bare name: a container of that name would be reached in their place. */
import { createHmac } from "node:crypto";

/** A name with the host keys of what would get it. */
interface Named {
  readonly alias: string;
  readonly hostKeys: readonly string[];
}

/**
 * The first of these names that a `known_hosts` has with other keys, and its line there.
 * @param text plain names and hashed ones, as ssh writes them with `HashKnownHosts yes`
 */
export function otherHost(
  text: string,
  named: readonly Named[],
): { alias: string; line: number } | undefined {
  const entries = text.split(/\r?\n/).map((line) => line.trim().split(/\s+/));
  for (const { alias, hostKeys } of named) {
    const found = entries.flatMap(([hosts = "", type, key], index) =>
      hosts.split(",").some((host) => isName(host, alias))
        ? [{ line: index + 1, key: `${type} ${key}` }]
        : [],
    );
    const [first] = found;
    if (first !== undefined && !found.some(({ key }) => hostKeys.includes(key))) return { alias, ...first };
  }
  return undefined;
}

/** `|1|salt|hash` is the HMAC-SHA1 of the name. */
function isName(host: string, alias: string): boolean {
  const [, salt, hash] = /^\|1\|([^|]+)\|([^|]+)$/.exec(host) ?? [];
  if (salt === undefined) return host.toLowerCase() === alias.toLowerCase();
  return (
    createHmac("sha1", Buffer.from(salt, "base64")).update(alias.toLowerCase()).digest("base64") === hash
  );
}
