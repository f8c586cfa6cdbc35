/** What a controller is made of: copies of collections, and work that follows their changes. */
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeClient, Selection } from "./client.ts";
import { ApiError, isTransient } from "./error.ts";
import type { KubeObject } from "./object.ts";

const reconnectMs = 500;
/** How long work waits for more calls before it begins. */
const gatherMs = 20;

/** The objects of a selection: at once, and again after each change, for as long as the process lives. */
async function* observeAll(client: KubeClient, selection: Selection): AsyncGenerator<readonly KubeObject[]> {
  for (;;) {
    const { items, resourceVersion } = await client.list(selection);
    const objects = new Map(items.map((item) => [keyOf(item), item]));
    yield [...objects.values()];
    try {
      for await (const { type, object } of client.watch(selection, resourceVersion)) {
        if (type === "BOOKMARK") continue;
        if (type === "DELETED") objects.delete(keyOf(object));
        else objects.set(keyOf(object), object);
        yield [...objects.values()];
      }
    } catch (error) {
      // A watch may end at any time, by a restart of the server or because its version is too old: begin anew.
      if (!isTransient(error) && !(error instanceof ApiError && error.code === 410) && !isCut(error))
        throw error;
    }
    await sleep(reconnectMs);
  }
}

/** A copy of a collection, kept up to date for as long as the process lives. */
export class Mirror<T> {
  items: readonly T[] = [];
  /** Whether the collection was read at least once; before that `items` says nothing. */
  listed = false;

  /** @param changed called after each change, the first time with the full list */
  constructor(client: KubeClient, selection: Selection, changed: () => void) {
    void this.#follow(client, selection, changed);
  }

  async #follow(client: KubeClient, selection: Selection, changed: () => void): Promise<never> {
    for (;;) {
      try {
        for await (const objects of observeAll(client, selection)) {
          this.items = objects as unknown as readonly T[];
          this.listed = true;
          changed();
        }
      } catch (error) {
        console.error(`watch of ${selection.kind} lost, starting over: ${String(error)}`);
      }
      await sleep(reconnectMs);
    }
  }
}

/**
 * Runs `work` soon after `wake` is called, once for all calls that come close together, and never twice at the same
 * time. A failure is logged, and the work is tried again.
 */
export function worker(name: string, work: () => Promise<void>): { wake: () => void } {
  let asked = false;
  let running = false;
  const run = async () => {
    running = true;
    while (asked) {
      await sleep(gatherMs);
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

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

function isCut(error: unknown): boolean {
  return ["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"].includes(String((error as NodeJS.ErrnoException).code));
}
