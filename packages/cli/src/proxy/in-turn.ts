/** Waits for one's turn at a gateway that limits how often a client may connect. */
import { WayError } from "./way-error.ts";

const tooManyRequests = 429;
const retryForMs = 30_000;
const shortestPauseMs = 500;
const longestPauseMs = 4000;

/** Where time, in milliseconds, and chance come from. */
interface Clock {
  now(): number;
  random(): number;
  sleep(milliseconds: number): Promise<void>;
}

const systemClock: Clock = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * Opens something, and tries again as long as the answer is 429. The pauses become longer and are random, so that
 * clients that began together do not try again together.
 * @param tell gets, once, the reason why it takes so long
 */
export async function inTurn<T>(
  open: () => Promise<T>,
  tell: (text: string) => void,
  clock: Partial<Clock> = {},
): Promise<T> {
  const { now, random, sleep } = { ...systemClock, ...clock };
  const until = now() + retryForMs;
  for (let pause = shortestPauseMs; ; pause = Math.min(longestPauseMs, 2 * pause)) {
    try {
      return await open();
    } catch (error) {
      const left = until - now();
      if (!(error instanceof WayError) || error.status !== tooManyRequests || left <= 0) throw error;
      if (pause === shortestPauseMs) tell(`${error.message}; trying again for up to ${retryForMs / 1000} s`);
      await sleep(Math.min(left, pause * (0.5 + random() / 2)));
    }
  }
}
