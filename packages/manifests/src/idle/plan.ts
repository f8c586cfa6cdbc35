/** How a container sleeps, decided: by whom, and how often it is asked. */
import type { IdleAccounts } from "../gateway/idle-ref.ts";
import type { IdleParsed } from "./args.ts";

/** The container's sleep with those who see to it; undefined for one that never sleeps. */
export interface IdlePlan extends IdleParsed {
  readonly accounts: IdleAccounts;
}

export function planIdle(
  idle: IdleParsed | undefined,
  accounts: IdleAccounts | undefined,
): IdlePlan | undefined {
  // Without accounts the schema has said what is missing.
  return idle?.enabled !== true || accounts === undefined ? undefined : { ...idle, accounts };
}

/** Often enough that a report is never much older than the times which it decides about. */
export function reportEvery({ stopAfterSeconds, silentSessionSeconds }: IdleParsed): number {
  const shortest = Math.min(stopAfterSeconds, silentSessionSeconds);
  return Math.min(60, Math.max(2, Math.floor(shortest / 10)));
}
