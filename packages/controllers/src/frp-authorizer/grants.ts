import type { FrpGrant } from "@drawbridge-iac/drawbridge/src/host/frpc/contract";
import { type Identity, keyOf } from "../api-server.ts";
import { remember } from "../fairness.ts";

/** The API server forbids the lookup: always if the namespace grants nothing, for a moment if it has just started. */
export class LookupForbidden extends Error {}

/** Looks a grant up; undefined if there is none. Throws if the lookup fails. */
export type FindGrant = (identity: Identity) => Promise<FrpGrant | undefined>;

/** How long an answer is used again. */
export const freshForMs = 2_000;
/** How long a container that is connected keeps its right while the API server cannot be asked. */
export const staleForMs = 10 * 60_000;
/**
 * How long a container that is connected keeps its right while the lookup is forbidden: an API server that has just
 * started has not read its roles yet. frps asks about each container every 10 s, so the second refusal counts.
 */
export const forbiddenForMs = 15_000;

interface Entry {
  readonly grant: FrpGrant | undefined;
  /** Time of the API server's answer. */
  readonly answeredAt: number;
  /** Time of the last lookup that was not forbidden: it was answered, or failed. */
  lastNotForbidden: number;
}

/**
 * Remembers answers for 2 s, misses too, so that a storm of reconnecting frpcs does not become one of requests.
 * While the lookup fails, a container keeps a grant of the last 10 minutes; while it is forbidden, one of the last 15 s:
 * the API server's restart must not cut anybody's session.
 */
export function cachedGrants(find: FindGrant, now: () => number = () => performance.now()): FindGrant {
  const known = new Map<string, Entry>();
  const keep = (key: string, grant: FrpGrant | undefined) => {
    const answeredAt = now();
    remember(known, key, { grant, answeredAt, lastNotForbidden: answeredAt });
    return grant;
  };
  return async (identity) => {
    const key = keyOf(identity);
    const entry = known.get(key);
    if (entry !== undefined && now() - entry.answeredAt < freshForMs) return entry.grant;
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
}
