/** How a container sleeps, with everything decided: who puts it to sleep and wakes it, and how often it reports. */
import type { IdleAccounts } from "../gateway/idle-ref.ts";
import type { IdleParsed } from "./args.ts";

/** A container's sleep, with the accounts of culler and activator. */
export interface IdlePlan extends IdleParsed {
  readonly accounts: IdleAccounts;
}

/** Undefined for a container that never sleeps. */
export function planIdle(
  idle: IdleParsed | undefined,
  accounts: IdleAccounts | undefined,
): IdlePlan | undefined {
  // That the accounts are missing is reported by the schema.
  return idle?.enabled !== true || accounts === undefined ? undefined : { ...idle, accounts };
}

/** Seconds between two reports: at most a tenth of the shortest time that they decide about. */
export function reportEvery({ stopAfterSeconds, silentSessionSeconds }: IdleParsed): number {
  const shortest = Math.min(stopAfterSeconds, silentSessionSeconds);
  return Math.min(60, Math.max(2, Math.floor(shortest / 10)));
}
