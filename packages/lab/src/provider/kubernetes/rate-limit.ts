import { setTimeout as sleep } from "node:timers/promises";

/** Lets `burst` requests through at once and `qps` a second after that, in the order of asking. */
export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

/** What the official provider uses unless told otherwise. */
export const DEFAULT_RATE_LIMIT: RateLimit = { qps: 50, burst: 120 };

/** Returns a function that waits until the next request may go. */
export function tokenBucket(
  limit: RateLimit,
  now: () => number = () => performance.now(),
  wait: (milliseconds: number, signal?: AbortSignal) => Promise<unknown> = (milliseconds, signal) =>
    sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
): (signal?: AbortSignal) => Promise<void> {
  let tokens = limit.burst;
  let last = now();
  return async (signal) => {
    const time = now();
    tokens = Math.min(limit.burst, tokens + ((time - last) / 1000) * limit.qps) - 1;
    last = time;
    // A debt of tokens is the queue: everyone who asks later owes more and waits longer.
    if (tokens < 0) await wait((-tokens / limit.qps) * 1000, signal);
  };
}
