import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, UnreachableError } from "./api-error.ts";

/** How often a request is repeated, and after how many milliseconds the first time (doubled each time). */
export interface RetryPolicy {
  readonly attempts: number;
  readonly firstDelay: number;
}

export const READ_RETRIES: RetryPolicy = { attempts: 5, firstDelay: 200 };

/** Runs `work` again as long as `again` says so of its error; the last error is thrown. */
export async function retry<T>(
  policy: RetryPolicy,
  again: (error: unknown) => boolean,
  signal: AbortSignal | undefined,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= policy.attempts || !again(error)) throw error;
      const wanted = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      const delay = Math.max(wanted, policy.firstDelay * 2 ** (attempt - 1));
      await sleep(delay, undefined, signal === undefined ? {} : { signal });
    }
  }
}

/** The server is busy or away for a moment: asking again is right for whatever changes nothing. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ApiError && (error.code === 429 || error.code >= 500))
  );
}

/** The server did nothing with the request, so even a change may be sent again. */
export function wasNotProcessed(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 429;
  const cause = error instanceof UnreachableError ? (error.cause as NodeJS.ErrnoException) : undefined;
  return cause?.code === "ECONNREFUSED";
}
