import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../kubernetes/api-error.ts";
import type { KubeClient, Selection } from "../kubernetes/client.ts";
import type { KubeObject, ObjectRef } from "../kubernetes/object.ts";
import { isTransient } from "../kubernetes/retry.ts";

const RECONNECT_MS = 500;

/** The objects of a selection: at once, and again after each change, until the signal ends it. */
export async function* observeAll(
  client: KubeClient,
  selection: Selection,
  signal: AbortSignal,
): AsyncGenerator<readonly KubeObject[]> {
  for (;;) {
    const { items, resourceVersion } = await client.list(selection, signal);
    const objects = new Map(items.map((item) => [item.metadata.name, item]));
    yield [...objects.values()];
    try {
      for await (const { type, object } of client.watch(selection, resourceVersion, signal)) {
        if (type === "BOOKMARK") continue;
        if (type === "DELETED") objects.delete(object.metadata.name);
        else objects.set(object.metadata.name, object);
        yield [...objects.values()];
      }
    } catch (error) {
      signal.throwIfAborted();
      // A watch may end at any time, by a restart of the server or because its version is too old: begin anew.
      if (!isTransient(error) && !(error instanceof ApiError && error.code === 410) && !isCut(error))
        throw error;
    }
    await sleep(RECONNECT_MS, undefined, { signal });
  }
}

/** One object, at once and again after each change; undefined while there is none. */
export async function* observe(
  client: KubeClient,
  ref: ObjectRef,
  signal: AbortSignal,
): AsyncGenerator<KubeObject | undefined> {
  const { apiVersion, kind, namespace, name } = ref;
  const selection = { apiVersion, kind, namespace, fieldSelector: `metadata.name=${name}` };
  for await (const [object] of observeAll(client, selection, signal)) yield object;
}

function isCut(error: unknown): boolean {
  return ["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"].includes(String((error as NodeJS.ErrnoException).code));
}
