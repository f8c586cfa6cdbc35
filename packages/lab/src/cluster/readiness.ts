import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./host/processes.ts";
import { readRecord } from "./instance.ts";
import type { Layout } from "./layout.ts";
import type { StepTime } from "./supervisor/graph.ts";
import { readStatus } from "./supervisor/status.ts";

/** How a start went. */
export interface Ready {
  /** Seconds from the first process to readiness. */
  seconds: number;
  /** Each part of the start, in the order in which they were done. */
  steps: readonly StepTime[];
}

/** Waits until the supervisor says that the instance is ready; throws with the reason when it never will be. */
export async function waitUntilReady(layout: Layout): Promise<Ready> {
  for (;;) {
    const status = await readStatus(layout.status);
    if (status?.phase === "ready") return { seconds: status.seconds ?? 0, steps: status.steps };
    if (status?.phase === "failed") throw await failure(layout, status.error ?? "", status.failedStep);
    const init = (await readRecord(layout))?.init;
    if (init !== undefined && !isAlive(init))
      throw await failure(layout, "the supervisor ended", "supervisor");
    await sleep(50);
  }
}

/** What happened, with the last words of the program concerned: after `down` its log is gone. */
async function failure(layout: Layout, error: string, step: string | undefined): Promise<Error> {
  const log = await readFile(join(layout.logs, `${step}.log`), "utf8").catch(() => "");
  const last = log.trimEnd().split("\n").slice(-20).join("\n");
  return new Error(
    `the cluster did not start: ${error}${last === "" ? "" : `\nlast lines of ${step}.log:\n${last}`}`,
  );
}
