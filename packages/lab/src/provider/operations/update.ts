import type { KubeClient } from "../../kube/client.ts";
import { isConflict, isForbidden, UnknownKindError } from "../../kube/error.ts";
import { type KubeObject, refOf } from "../../kube/object.ts";
import { isAnnotated, PATCH_FORCE, timeoutOf } from "../kinds/annotations.ts";
import { handOver, isOwnedByCreator, withIgnored } from "../kinds/field-managers.ts";
import { type Provider, requireClient } from "../provider.ts";
import { hasUnknown, type ValueMap } from "../values/property.ts";
import { NotReadyError, ready } from "../waits/ready.ts";
import { InitFailedError, idOf, manifestOf, newFieldManager, outputsOf, readOutputs } from "./manifest.ts";

export interface UpdateRequest {
  readonly urn: string;
  /** Outputs of the last create, update or refresh. */
  readonly olds: ValueMap;
  readonly news: ValueMap;
  readonly ignoreChanges: readonly string[];
  readonly preview: boolean;
  /** Seconds; 0 where the program sets none. */
  readonly timeout: number;
}

/** Changes an object by server-side apply and waits until it is ready. */
export async function update(provider: Provider, request: UpdateRequest): Promise<ValueMap> {
  const { urn, news, preview } = request;
  if (preview && (hasUnknown(news) || !(await provider.cluster()).reachable)) return news;
  const client = await requireClient(provider);
  const old = readOutputs(request.olds);
  const fieldManager = old.fieldManager || newFieldManager();
  const remembered = { inputs: news, initialApiVersion: old.initialApiVersion, fieldManager };
  const ref = refOf(manifestOf(news));
  try {
    const live = await change(provider, client, request, fieldManager);
    const timeout = timeoutOf(news, request.timeout);
    const settled = preview ? live : await ready(provider, client, { urn, live, isNew: false, timeout });
    return outputsOf(settled, remembered);
  } catch (error) {
    if (preview && (isForbidden(error) || error instanceof UnknownKindError)) return news;
    const failed = `update of resource "${urn}" failed`;
    const { message } = error as Error;
    if (error instanceof UnknownKindError) {
      throw new Error(
        `${failed} because the Kubernetes API server reported that the apiVersion for this resource does not exist. Verify that any required CRDs have been created: ${message}`,
      );
    }
    // Cancelled, it cannot look any more, so that the state keeps the old inputs although the cluster has the new ones.
    const current = await client.get(ref, provider.cancelled).catch((cause: Error) => {
      throw new Error(`${failed}: ${message}\nunable to get cluster state: ${cause.message}`);
    });
    throw new InitFailedError(
      `the Kubernetes API server reported that "${idOf(ref)}" failed to fully initialize or become live: ${message}`,
      idOf(ref),
      outputsOf(current, remembered),
      error instanceof NotReadyError ? error.details : [],
    );
  }
}

async function change(
  provider: Provider,
  client: KubeClient,
  { urn, news, preview, ignoreChanges }: UpdateRequest,
  fieldManager: string,
): Promise<KubeObject> {
  const wanted = manifestOf(news);
  const onWarning = (text: string) => provider.engine.warn(urn, text);
  const options = { dryRun: preview, signal: provider.cancelled, onWarning, fieldManager };
  let live = await client.get(refOf(wanted), provider.cancelled);
  if (wanted.kind === "CustomResourceDefinition") {
    // Versions and schemas are lists that only make sense as a whole, so a definition is replaced in place.
    const resourceVersion = live.metadata.resourceVersion ?? "";
    return client.replace({ ...wanted, metadata: { ...wanted.metadata, resourceVersion } }, options);
  }
  const forced = provider.settings.patchForce || isAnnotated(news, PATCH_FORCE);
  // A preview hands nothing over, so our own creation would be a conflict.
  const force = forced || (preview && isOwnedByCreator(live));
  const patch = preview ? undefined : handOver(live, fieldManager);
  if (patch !== undefined)
    live = await client.patch(refOf(live), "json", patch, undefined, provider.cancelled);
  try {
    const object = withIgnored(wanted, live, ignoreChanges, fieldManager);
    return await client.apply(object, { ...options, force });
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new Error(
      `server-side apply field conflict detected\nThe resource managed by field manager "${fieldManager}" had an apply conflict: ${(error as Error).message}`,
    );
  }
}
