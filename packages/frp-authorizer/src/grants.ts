import type { Identity } from "./identity.ts";

/** What a container's own namespace says of it. */
export interface Grant {
  readonly tokenSha256: string;
  readonly clientDomain: string | undefined;
}

/** Looks a grant up; undefined if there is none. Throws if it cannot be told. */
export type FindGrant = (identity: Identity) => Promise<Grant | undefined>;

/** How long an answer is used again, in milliseconds. */
export const freshFor = 2_000;
/** How long a container that is connected keeps its right while nobody can be asked, in milliseconds. */
export const staleFor = 10 * 60_000;
const maximumEntries = 10_000;

/**
 * Remembers answers for 2 s, misses too, so that a storm of reconnecting frpcs does not become one of requests.
 * While the lookup fails, a container that had a grant within the last 10 minutes keeps it: the API server's
 * restart must not cut anybody's session.
 */
export function cachedGrants(find: FindGrant, now: () => number = () => performance.now()): FindGrant {
  const known = new Map<string, { grant: Grant | undefined; at: number }>();
  return async (identity) => {
    const key = `${identity.namespace}/${identity.name}`;
    const entry = known.get(key);
    if (entry !== undefined && now() - entry.at < freshFor) return entry.grant;
    try {
      const grant = await find(identity);
      known.delete(key);
      known.set(key, { grant, at: now() });
      if (known.size > maximumEntries) known.delete(known.keys().next().value ?? "");
      return grant;
    } catch (error) {
      if (entry?.grant !== undefined && now() - entry.at < staleFor) return entry.grant;
      throw error;
    }
  };
}
