import type { V1ObjectMeta } from "@kubernetes/client-node";

/** What names an object among those of its kind. */
export function named({ name = "", namespace = "" }: V1ObjectMeta = {}): { name: string; namespace: string } {
  return { name, namespace };
}

/**
 * Runs `work` soon after `wake` is called, once for all calls that come close together, and never twice at the same
 * time. A failure is logged, and the work is tried again.
 * @param gatherMs how long to wait for more calls before the work begins
 */
export function worker(name: string, work: () => Promise<void>, gatherMs = 20): { wake: () => void } {
  let asked = false;
  let running = false;
  const run = async () => {
    running = true;
    while (asked) {
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
      asked = false;
      try {
        await work();
      } catch (error) {
        console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        setTimeout(wake, 1_000);
      }
    }
    running = false;
  };
  const wake = () => {
    asked = true;
    if (!running) void run();
  };
  return { wake };
}
