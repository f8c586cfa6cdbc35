import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { lookEveryMs, stepSeconds } from "../nodes/plan.ts";

/** Answers whether something is ready; throwing means not yet. */
export type Probe = () => Promise<boolean>;

/** An HTTP server that answers 200. */
export function httpOk(url: string): Probe {
  return async () => {
    const response = await fetch(url);
    await response.text();
    return response.ok;
  };
}

/** Something that accepts connections, at `host:port` or a socket's path. */
export function accepts(target: { path: string } | { host: string; port: number }): Probe {
  return () =>
    new Promise((resolve, reject) => {
      const socket = connect(target, () => resolve(true));
      socket.on("error", reject);
      socket.on("connect", () => socket.destroy());
    });
}

/**
 * Waits until the probe says yes.
 * @param limitSeconds after which it gives up, with the last thing that the probe said
 */
export async function until(
  probe: Probe,
  limitSeconds = stepSeconds(),
  everyMs = lookEveryMs(),
): Promise<void> {
  const end = performance.now() + limitSeconds * 1000;
  let last = "it answered, but was not ready";
  while (performance.now() < end) {
    try {
      if (await probe()) return;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(everyMs);
  }
  throw new Error(`not ready within ${limitSeconds} s; the last look said: ${last}`);
}
