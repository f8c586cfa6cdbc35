import { annotationOf, PATCH_FIELD_MANAGER, timeoutOf } from "../kinds/annotations.ts";
import { parseTypeToken } from "../kinds/type-token.ts";
import {
  ApiError,
  isAlreadyExists,
  isForbidden,
  isNamespaceMissing,
  isNotFound,
  UnknownKindError,
} from "../kubernetes/api-error.ts";
import type { KubeClient, WriteOptions } from "../kubernetes/client.ts";
import { idOf, type KubeObject } from "../kubernetes/object.ts";
import { retry } from "../kubernetes/retry.ts";
import { type Provider, requireClient } from "../provider.ts";
import { hasUnknown, type ValueMap } from "../values/property.ts";
import { ready } from "../waits/ready.ts";
import { CREATE_MANAGER } from "./field-managers.ts";
import { InitFailedError } from "./init-failed.ts";
import { manifestOf, outputsOf } from "./manifest.ts";
import { uniqueName } from "./naming.ts";

export interface CreateRequest {
  readonly urn: string;
  readonly type: string;
  readonly inputs: ValueMap;
  readonly preview: boolean;
  /** Seconds; 0 where the program sets none. */
  readonly timeout: number;
}

export interface Created {
  /** Empty in a preview. */
  readonly id: string;
  readonly outputs: ValueMap;
}

// A definition or a namespace made a moment ago may take a while to be served.
const APPEARANCE_RETRIES = { attempts: 6, firstDelay: 500 };

/** Creates an object and waits until it is ready; an object that exists is an error, not an update. */
export async function create(provider: Provider, request: CreateRequest): Promise<Created> {
  const { urn, inputs, preview } = request;
  const asGiven = { id: "", outputs: inputs };
  if (preview && hasUnknown(inputs)) return asGiven;
  const cluster = await provider.cluster();
  if (preview && !cluster.reachable) return asGiven;
  const client = cluster.reachable ? cluster.client : await requireClient(provider);

  const object = manifestOf(inputs);
  const fieldManager =
    annotationOf(inputs, PATCH_FIELD_MANAGER) || uniqueName(CREATE_MANAGER, new Uint8Array());
  const options = { dryRun: preview, signal: provider.cancelled, onWarning: warnings(provider, urn) };
  let live: KubeObject;
  try {
    live = preview
      ? await send(provider, client, object, fieldManager, options)
      : await retry(APPEARANCE_RETRIES, isNotThereYet, provider.cancelled, (attempt) => {
          if (attempt > 1)
            provider.engine.status(
              urn,
              `waiting for the kind or the namespace to appear (attempt ${attempt})`,
            );
          return send(provider, client, object, fieldManager, options);
        });
  } catch (error) {
    if (preview && isUnpreviewable(error)) return asGiven;
    throw explain(error, urn, request.type);
  }

  const remembered = { inputs, initialApiVersion: object.apiVersion, fieldManager };
  if (preview) {
    // An empty status would be taken for the real one.
    const { status: _, ...planned } = live;
    return { id: "", outputs: outputsOf(planned as KubeObject, remembered) };
  }
  if (object.kind === "CustomResourceDefinition") client.discovery.forget();
  const id = idOf(live.metadata);
  try {
    const settled = await ready(provider, client, { urn, live, timeout: timeoutOf(inputs, request.timeout) });
    return { id, outputs: outputsOf(settled, remembered) };
  } catch (error) {
    const current = await client.get({ ...live, ...live.metadata }).catch(() => live);
    throw new InitFailedError(
      `resource "${urn}" was successfully created, but it failed to become ready: ${(error as Error).message}`,
      id,
      outputsOf(current, remembered),
    );
  }
}

function send(
  provider: Provider,
  client: KubeClient,
  object: KubeObject,
  fieldManager: string,
  options: Omit<WriteOptions, "fieldManager">,
): Promise<KubeObject> {
  return provider.settings.upsert
    ? client.apply(object, {
        ...options,
        fieldManager,
        force: provider.settings.patchForce || options.dryRun,
      })
    : client.create(object, { ...options, fieldManager: CREATE_MANAGER });
}

/** Hands the API server's warnings to the engine. */
export function warnings(provider: Provider, urn: string): (text: string) => void {
  return (text) => {
    if (!provider.settings.suppressWarnings) provider.engine.warn(urn, text);
  };
}

function isNotThereYet(error: unknown): boolean {
  return error instanceof UnknownKindError || isNotFound(error);
}

/** The dry run cannot tell what the update will do, which then shows what the program says. */
function isUnpreviewable(error: unknown): boolean {
  return (
    isForbidden(error) ||
    isNamespaceMissing(error) ||
    isAlreadyExists(error) ||
    error instanceof UnknownKindError
  );
}

function explain(error: unknown, urn: string, type: string): Error {
  if (error instanceof UnknownKindError) {
    const { apiVersion, kind } = parseTypeToken(type);
    return new Error(
      `creation of resource "${urn}" with kind ${apiVersion}/${kind} failed because the Kubernetes API server reported that the apiVersion for this resource does not exist. Verify that any required CRDs have been created: ${error.message}`,
    );
  }
  if (!(error instanceof ApiError)) return error as Error;
  const advice = isAlreadyExists(error)
    ? " To take the object over, give the resource the `import` option; to keep its identity under a new resource name, give it an alias."
    : "";
  return new Error(
    `resource "${urn}" was not successfully created by the Kubernetes API server: ${error.message}${advice}`,
  );
}
