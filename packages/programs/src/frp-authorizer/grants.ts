import type { FrpGrant } from "../made/contract.ts";
import { remember } from "../remember.ts";
import type { Identity } from "./identity.ts";

/** What a container's own namespace says of it. */
export type Grant = FrpGrant;

/** The API server forbids to look: without a grant it does so for ever, and just started for a moment. */
export class LookupForbidden extends Error {}

/** Looks a grant up; undefined if there is none. Throws if it cannot be told. */
export type FindGrant = (identity: Identity) => Promise<Grant | undefined>;

/** How long an answer is used again, in milliseconds. */
export const freshFor = 2_000;
/** How long a container that is connected keeps its right while nobody can be asked, in milliseconds. */
export const staleFor = 10 * 60_000;
/**
 * How long a container that is connected keeps its right while looking is forbidden, in milliseconds. It is asked about
 * every 10 s, so the second answer counts: an API server that has just started has not read its roles yet.
 */
export const forbiddenFor = 15_000;

interface Entry {
  readonly grant: Grant | undefined;
  /** When the API server said so. */
  readonly at: number;
  /** When it last said so, or could not be asked. */
  last: number;
}

/**
 * Remembers answers for 2 s, misses too, so that a storm of reconnecting frpcs does not become one of requests.
 * While the lookup fails, a container that had a grant within the last 10 minutes keeps it, and while it is forbidden one
 * that was there a moment ago: the API server's restart must not cut anybody's session.
 */
export function cachedGrants(find: FindGrant, now: () => number = () => performance.now()): FindGrant {
  const known = new Map<string, Entry>();
  const keep = (key: string, grant: Grant | undefined) => {
    const at = now();
    remember(known, key, { grant, at, last: at });
    return grant;
  };
  return async (identity) => {
    const key = `${identity.namespace}/${identity.name}`;
    const entry = known.get(key);
    if (entry !== undefined && now() - entry.at < freshFor) return entry.grant;
    try {
      return keep(key, await find(identity));
    } catch (error) {
      if (error instanceof LookupForbidden) {
        const isConnected = entry?.grant !== undefined && now() - entry.last < forbiddenFor;
        return isConnected ? entry.grant : keep(key, undefined);
      }
      if (entry?.grant === undefined || now() - entry.at >= staleFor) throw error;
      entry.last = now();
      return entry.grant;
    }
  };
}
