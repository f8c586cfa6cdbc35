import { duration } from "../../progress.ts";

/** The wait was not over in time. */
export class TimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`timed out after ${duration(milliseconds)}`);
    this.name = "TimeoutError";
  }
}

/** Runs a wait with a signal that ends at the deadline or when the engine cancels; either is an error that says so. */
export async function within<T>(
  milliseconds: number,
  cancelled: AbortSignal,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(milliseconds);
  try {
    return await wait(AbortSignal.any([deadline, cancelled]));
  } catch (error) {
    if (cancelled.aborted) throw new Error("the operation was cancelled");
    if (deadline.aborted) throw new TimeoutError(milliseconds);
    throw error;
  }
}
