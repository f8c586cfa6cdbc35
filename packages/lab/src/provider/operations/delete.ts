import { isNotFound, UnknownKindError } from "../../kube/error.ts";
import { isAnnotated, propagationOf, SKIP_AWAIT, timeoutOf } from "../kinds/annotations.ts";
import { parseTypeToken } from "../kinds/type-token.ts";
import { type Provider, requireClient } from "../provider.ts";
import type { ValueMap } from "../values/property.ts";
import { gone } from "../waits/ready.ts";
import { InitFailedError, idOf, outputsOf, parseId, readOutputs } from "./manifest.ts";

export interface DeleteRequest {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly outputs: ValueMap;
  /** Seconds; 0 where the program sets none. */
  readonly timeout: number;
}

/** Kinds for which `skipAwait` also means not to wait for the end. */
const SKIP_AWAIT_ON_DELETE = new Set(["Namespace", "Pod", "Deployment", "DaemonSet", "StatefulSet", "Job"]);

/** Deletes an object and waits until it is gone, by default with all that belongs to it. An object that is gone is no error. */
export async function remove(provider: Provider, request: DeleteRequest): Promise<void> {
  const client = await requireClient(provider);
  const { apiVersion, kind } = parseTypeToken(request.type);
  const ref = { apiVersion, kind, ...parseId(request.id) };
  const old = readOutputs(request.outputs);
  try {
    const ending = await client.delete(ref, propagationOf(old.inputs), provider.cancelled);
    if (ending === undefined) return;
    if (isAnnotated(old.inputs, SKIP_AWAIT) && SKIP_AWAIT_ON_DELETE.has(kind)) return;
    await gone(provider, client, {
      urn: request.urn,
      live: ending,
      timeout: timeoutOf(old.inputs, request.timeout),
    });
  } catch (error) {
    if (isNotFound(error) || error instanceof UnknownKindError) return;
    const left = await client.get(ref).catch(() => undefined);
    if (left?.metadata.deletionTimestamp === undefined) throw error;
    throw new InitFailedError((error as Error).message, idOf(ref), outputsOf(left, old), []);
  }
}
