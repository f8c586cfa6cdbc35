import type { KubeClient } from "../kubernetes/client.ts";
import { type KubeObject, refOf } from "../kubernetes/object.ts";
import { observe } from "./observe.ts";
import type { Verdict } from "./verdict.ts";

/** What a wait for one object has at hand. */
export interface Wait {
  readonly client: KubeClient;
  readonly live: KubeObject;
  readonly signal: AbortSignal;
  /** Says what is being waited for. */
  readonly report: (waitingFor: string) => void;
}

/** Looks at an object after each change until it is ready; a failure that cannot mend itself ends the wait at once. */
export async function waitForVerdict(
  wait: Wait,
  verdictOf: (object: KubeObject) => Verdict,
): Promise<KubeObject> {
  for await (const object of observe(wait.client, refOf(wait.live), wait.signal)) {
    if (object === undefined) throw new Error("the object was deleted");
    const verdict = verdictOf(object);
    if (verdict.is === "ready") return object;
    if (verdict.is === "failed") throw new Error(`failed: ${verdict.why}`);
    wait.report(verdict.for);
  }
  throw wait.signal.reason;
}
