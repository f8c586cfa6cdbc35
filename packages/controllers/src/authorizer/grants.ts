/** What the API server said of a container lately; what is looked up is the adapter's. */
import { type Identity, keyOf } from "../api-server.ts";
import { remember } from "../fairness.ts";

/** The API server forbids the lookup: always if the namespace grants nothing, for a moment if it has just started. */
export class LookupForbidden extends Error {}

/** Looks a grant up; undefined if there is none. Throws if the lookup fails. */
export type FindGrant<Grant> = (identity: Identity) => Promise<Grant | undefined>;

/** How long an answer is used again. */
export const freshForMs = 2_000;
/** How long a container that is connected keeps its right while the API server cannot be asked. */
export const staleForMs = 10 * 60_000;
/**
 * How long a container that is connected keeps its right while the lookup is forbidden: an API server that has just
 * started has not read its roles yet. frps asks about each container every 10 s, so the second refusal counts.
 */
export const forbiddenForMs = 15_000;

interface Entry<Grant> {
  readonly grant: Grant | undefined;
  /** Time of the API server's answer. */
  readonly answeredAt: number;
  /** Time of the last lookup that was not forbidden: it was answered, or failed. */
  lastNotForbidden: number;
  isFresh: boolean;
}

export interface CachedGrants<Grant> {
  (identity: Identity): Promise<Grant | undefined>;
  /** The next one who asks gets what the API server says. */
  expire(identity: Identity): void;
}

/**
 * Remembers answers for 2 s, misses too, so that a storm of reconnecting frpcs does not become one of requests.
 * While the lookup fails, a container keeps a grant of the last 10 minutes; while it is forbidden, one of the last 15 s:
 * the API server's restart must not cut anybody's session.
 */
export function cachedGrants<Grant>(
  find: FindGrant<Grant>,
  now: () => number = () => performance.now(),
): CachedGrants<Grant> {
  const known = new Map<string, Entry<Grant>>();
  const keep = (key: string, grant: Grant | undefined) => {
    const answeredAt = now();
    remember(known, key, { grant, answeredAt, lastNotForbidden: answeredAt, isFresh: true });
    return grant;
  };
  const lookUp = async (identity: Identity, key: string, entry: Entry<Grant> | undefined) => {
    try {
      return keep(key, await find(identity));
    } catch (error) {
      if (error instanceof LookupForbidden) {
        const isConnected = entry?.grant !== undefined && now() - entry.lastNotForbidden < forbiddenForMs;
        return isConnected ? entry.grant : keep(key, undefined);
      }
      if (entry?.grant === undefined || now() - entry.answeredAt >= staleForMs) throw error;
      entry.lastNotForbidden = now();
      return entry.grant;
    }
  };
  /** Lookups under way: a container that opens a hundred connections at once is asked about once. */
  const lookUps = new Map<string, Promise<Grant | undefined>>();
  // What failed is answered by what is known, so that stays; it only has to be asked for again.
  const outdate = (key: string) => {
    const entry = known.get(key);
    if (entry !== undefined) entry.isFresh = false;
  };
  const cached: FindGrant<Grant> = async (identity) => {
    const key = keyOf(identity);
    const entry = known.get(key);
    if (entry?.isFresh && now() - entry.answeredAt < freshForMs) return entry.grant;
    const underWay = lookUps.get(key);
    if (underWay !== undefined) return underWay;
    const answer = lookUp(identity, key, entry).finally(() => {
      if (lookUps.get(key) === answer) lookUps.delete(key);
      // It was begun before a change that someone knows of.
      else outdate(key);
    });
    lookUps.set(key, answer);
    return answer;
  };
  const expire = (identity: Identity) => {
    const key = keyOf(identity);
    lookUps.delete(key);
    outdate(key);
  };
  return Object.assign(cached, { expire });
}
