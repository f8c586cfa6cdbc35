import {
  annotationOf,
  DELETION_PROPAGATION,
  isAnnotated,
  SKIP_AWAIT,
  timeoutOf,
} from "../kinds/annotations.ts";
import { parseTypeToken } from "../kinds/type-token.ts";
import { isNotFound, UnknownKindError } from "../kubernetes/api-error.ts";
import type { PropagationPolicy } from "../kubernetes/client.ts";
import { idOf, parseId } from "../kubernetes/object.ts";
import type { Provider } from "../provider.ts";
import type { ValueMap } from "../values/property.ts";
import { gone } from "../waits/gone.ts";
import { InitFailedError } from "./init-failed.ts";
import { outputsOf, readOutputs } from "./manifest.ts";

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

/** Deletes an object with all that belongs to it and waits until it is gone. An object that is gone is no error. */
export async function remove(provider: Provider, request: DeleteRequest): Promise<void> {
  const { urn } = request;
  const cluster = await provider.cluster();
  if (!cluster.reachable) {
    provider.engine.warn(urn, `configured Kubernetes cluster is unreachable: ${cluster.reason}`);
    if (provider.settings.deleteUnreachable) return;
    throw new Error(
      `"${request.id}" cannot be deleted because the cluster is unreachable. If the cluster is gone for good, set PULUMI_K8S_DELETE_UNREACHABLE=true to drop its resources from the state.`,
    );
  }
  const { client } = cluster;
  const { apiVersion, kind } = parseTypeToken(request.type);
  const ref = { apiVersion, kind, ...parseId(request.id) };
  const old = readOutputs(request.outputs);
  try {
    const ending = await client.delete(ref, propagation(old.inputs), provider.cancelled);
    if (ending === undefined) return;
    if (isAnnotated(old.inputs, SKIP_AWAIT) && SKIP_AWAIT_ON_DELETE.has(kind)) return;
    await gone(provider, client, { urn, ending, timeout: timeoutOf(old.inputs, request.timeout) });
  } catch (error) {
    if (isNotFound(error) || error instanceof UnknownKindError) return;
    const left = await client.get(ref).catch(() => undefined);
    if (left?.metadata.deletionTimestamp === undefined) throw error;
    throw new InitFailedError((error as Error).message, idOf(ref), outputsOf(left, old));
  }
}

function propagation(inputs: ValueMap): PropagationPolicy {
  const policy = annotationOf(inputs, DELETION_PROPAGATION)?.toLowerCase();
  return policy === "orphan" ? "Orphan" : policy === "background" ? "Background" : "Foreground";
}
