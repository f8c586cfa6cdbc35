import type { KubeClient } from "../kubernetes/client.ts";
import { describe, type KubeObject, listAt, refOf } from "../kubernetes/object.ts";
import type { Provider } from "../provider.ts";
import { within } from "./deadline.ts";
import { diagnose } from "./diagnose.ts";
import { observe } from "./observe.ts";

export interface GoneRequest {
  readonly urn: string;
  /** The object on its way out. */
  readonly ending: KubeObject;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Waits until an object is gone; a new one of the same name is another object. */
export async function gone(provider: Provider, client: KubeClient, request: GoneRequest): Promise<void> {
  const { urn, ending, timeout } = request;
  const ref = refOf(ending);
  let holders: string[] = [];
  try {
    await within(timeout, provider.cancelled, async (signal) => {
      for await (const object of observe(client, ref, signal)) {
        if (object === undefined || object.metadata.uid !== ending.metadata.uid) return;
        holders = listAt(object, "metadata", "finalizers").map(String);
        provider.engine.status(urn, `waiting for ${describe(ref)} to be gone${heldBy(holders)}`);
      }
    });
  } catch (error) {
    throw new Error(
      `${describe(ref)}: ${(error as Error).message} while waiting for it to be gone${heldBy(holders)}${await diagnose(client, ending)}`,
    );
  }
}

function heldBy(finalizers: string[]): string {
  return finalizers.length === 0 ? "" : ` (held by ${finalizers.join(", ")})`;
}
