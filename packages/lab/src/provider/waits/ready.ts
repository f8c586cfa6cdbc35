import { annotationOf, isAnnotated, SKIP_AWAIT, WAIT_FOR } from "../kinds/annotations.ts";
import type { KubeClient } from "../kubernetes/client.ts";
import { describe, type KubeObject, refOf } from "../kubernetes/object.ts";
import type { Provider } from "../provider.ts";
import { BOUND_CAP_MS, waitForBound } from "./claim.ts";
import { within } from "./deadline.ts";
import { diagnose } from "./diagnose.ts";
import { waitForService } from "./service.ts";
import { VERDICTS } from "./verdict.ts";
import { type Wait, waitForVerdict } from "./wait.ts";
import { parseWaitFor } from "./wait-for.ts";

export interface ReadyRequest {
  readonly urn: string;
  /** The object as the API server answered. */
  readonly live: KubeObject;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Waits until an object is ready, by its annotations or its kind, and returns it as it is then. */
export async function ready(
  provider: Provider,
  client: KubeClient,
  request: ReadyRequest,
): Promise<KubeObject> {
  const { urn, live } = request;
  const found = waiterFor(live);
  if (found === undefined) return live;
  const { waiter, cap } = found;
  let last = "";
  const report = (waitingFor: string): void => {
    if (waitingFor === last) return;
    last = waitingFor;
    provider.engine.status(urn, `waiting for ${waitingFor}`);
  };
  try {
    return await within(Math.min(request.timeout, cap), provider.cancelled, (signal) =>
      waiter({ client, live, signal, report }),
    );
  } catch (error) {
    const what = last === "" ? "" : ` while waiting for ${last}`;
    throw new Error(
      `${describe(refOf(live))}: ${(error as Error).message}${what}${await diagnose(client, live)}`,
    );
  }
}

type Waiter = (wait: Wait) => Promise<KubeObject>;

function waiterFor(live: KubeObject): { waiter: Waiter; cap: number } | undefined {
  if (isAnnotated(live, SKIP_AWAIT)) return undefined;
  const uncapped = (waiter: Waiter) => ({ waiter, cap: Number.POSITIVE_INFINITY });
  const waitFor = annotationOf(live, WAIT_FOR);
  if (waitFor) {
    const holds = parseWaitFor(waitFor);
    return uncapped((wait) => waitForVerdict(wait, holds));
  }
  const type = `${live.apiVersion}/${live.kind}`;
  if (type === "v1/Service") return uncapped(waitForService);
  if (type === "v1/PersistentVolumeClaim") return { waiter: waitForBound, cap: BOUND_CAP_MS };
  const verdict = VERDICTS[type];
  return verdict === undefined ? undefined : uncapped((wait) => waitForVerdict(wait, verdict));
}
