import {
  annotationOf,
  isAnnotated,
  PATCH_FIELD_MANAGER,
  PATCH_FORCE,
  timeoutOf,
} from "../kinds/annotations.ts";
import { ApiError, isConflict, isForbidden, isNotFound, UnknownKindError } from "../kubernetes/api-error.ts";
import type { KubeClient } from "../kubernetes/client.ts";
import { idOf, type KubeObject, refOf } from "../kubernetes/object.ts";
import { type Provider, requireClient } from "../provider.ts";
import { hasUnknown, type ValueMap } from "../values/property.ts";
import { ready } from "../waits/ready.ts";
import { warnings } from "./create.ts";
import { CREATE_MANAGER, handOver, isOwnedByCreator } from "./field-managers.ts";
import { withIgnored } from "./ignore-changes.ts";
import { InitFailedError } from "./init-failed.ts";
import { manifestOf, outputsOf, readOutputs } from "./manifest.ts";
import { uniqueName } from "./naming.ts";

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
  if (preview && hasUnknown(news)) return news;
  const cluster = await provider.cluster();
  if (preview && !cluster.reachable) return news;
  const client = cluster.reachable ? cluster.client : await requireClient(provider);

  const old = readOutputs(request.olds);
  const fieldManager =
    annotationOf(news, PATCH_FIELD_MANAGER) ||
    old.fieldManager ||
    uniqueName(CREATE_MANAGER, new Uint8Array());
  const remembered = { inputs: news, initialApiVersion: old.initialApiVersion, fieldManager };
  let live: KubeObject;
  try {
    live = await change(provider, client, request, fieldManager);
  } catch (error) {
    if (preview && (isForbidden(error) || error instanceof UnknownKindError)) return news;
    throw explain(error, urn, fieldManager);
  }
  if (preview) return outputsOf(live, remembered);
  try {
    return outputsOf(
      await ready(provider, client, { urn, live, timeout: timeoutOf(news, request.timeout) }),
      remembered,
    );
  } catch (error) {
    const current = await client.get(refOf(live)).catch(() => live);
    throw new InitFailedError(
      `resource "${urn}" was updated, but it failed to become ready: ${(error as Error).message}`,
      idOf(live.metadata),
      outputsOf(current, remembered),
    );
  }
}

async function change(
  provider: Provider,
  client: KubeClient,
  request: UpdateRequest,
  fieldManager: string,
): Promise<KubeObject> {
  const wanted = manifestOf(request.news);
  const options = {
    dryRun: request.preview,
    signal: provider.cancelled,
    onWarning: warnings(provider, request.urn),
    fieldManager,
  };
  let live = await client.get(refOf(wanted), provider.cancelled);
  if (wanted.kind === "CustomResourceDefinition") {
    // Versions and schemas are lists that only make sense as a whole, so a definition is replaced in place.
    const resourceVersion = live.metadata.resourceVersion ?? "";
    const replaced = await client.replace(
      { ...wanted, metadata: { ...wanted.metadata, resourceVersion } },
      options,
    );
    client.discovery.forget();
    return replaced;
  }
  const forced = provider.settings.patchForce || isAnnotated(request.news, PATCH_FORCE);
  // A preview hands nothing over, so our own creation would be a conflict.
  const force = forced || (request.preview && isOwnedByCreator(live));
  const patch = request.preview ? undefined : handOver(live, fieldManager);
  if (patch !== undefined) live = await client.jsonPatch(refOf(live), patch, provider.cancelled);
  return client.apply(withIgnored(wanted, live, request.ignoreChanges, fieldManager), { ...options, force });
}

function explain(error: unknown, urn: string, fieldManager: string): Error {
  if (error instanceof UnknownKindError) {
    return new Error(
      `update of resource "${urn}" failed because the Kubernetes API server reported that the apiVersion for this resource does not exist. Verify that any required CRDs have been created: ${error.message}`,
    );
  }
  if (!(error instanceof ApiError)) return error as Error;
  if (isConflict(error)) {
    return new Error(
      `update of resource "${urn}" failed: another field manager owns what "${fieldManager}" wants to change: ${error.message}. To take it over, set the annotation ${PATCH_FORCE}: "true" on the object.`,
    );
  }
  const advice = isNotFound(error) ? " Run `pulumi refresh` to see what the cluster has." : "";
  return new Error(`update of resource "${urn}" failed: ${error.message}${advice}`);
}
