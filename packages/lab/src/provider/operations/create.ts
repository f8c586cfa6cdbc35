import { retry } from "../../kube/client.ts";
import {
  ApiError,
  isAlreadyExists,
  isForbidden,
  isNamespaceMissing,
  isNotFound,
  UnknownKindError,
} from "../../kube/error.ts";
import { type KubeObject, refOf } from "../../kube/object.ts";
import { isAnnotated, PATCH_FORCE, timeoutOf } from "../kinds/annotations.ts";
import { CREATE_MANAGER } from "../kinds/field-managers.ts";
import { type Provider, requireClient } from "../provider.ts";
import { hasUnknown, type ValueMap } from "../values/property.ts";
import { NotReadyError, ready } from "../waits/ready.ts";
import { InitFailedError, idOf, manifestOf, newFieldManager, outputsOf } from "./manifest.ts";

export interface CreateRequest {
  readonly urn: string;
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

/** Creates an object and waits until it is ready; one that exists is an error unless the settings let it be taken over. */
export async function create(provider: Provider, request: CreateRequest): Promise<Created> {
  const { urn, inputs, preview } = request;
  const asGiven = { id: "", outputs: inputs };
  if (preview && (hasUnknown(inputs) || !(await provider.cluster()).reachable)) return asGiven;
  const client = await requireClient(provider);
  const object = manifestOf(inputs);
  const remembered = { inputs, initialApiVersion: object.apiVersion, fieldManager: newFieldManager() };
  const onWarning = (text: string) => provider.engine.warn(urn, text);
  const options = { dryRun: preview, signal: provider.cancelled, onWarning };
  const send = () => (provider.settings.upsert ? takeOver() : plainCreate());
  const plainCreate = () => client.create(object, { ...options, fieldManager: CREATE_MANAGER });
  const takeOver = () => {
    const force = provider.settings.patchForce || isAnnotated(inputs, PATCH_FORCE);
    return client.apply(object, { ...options, fieldManager: remembered.fieldManager, force });
  };
  let live: KubeObject;
  try {
    live = preview
      ? await send()
      : await retry(APPEARANCE_RETRIES, isNotThereYet, provider.cancelled, (attempt) => {
          if (attempt > 1) provider.engine.status(urn, `Retry #${attempt - 1}; creation failed`);
          return send();
        });
  } catch (error) {
    if (preview && isUnpreviewable(error)) return asGiven;
    throw explain(error, urn, object);
  }
  if (preview) {
    // An empty status would be taken for the real one.
    const { status: _, ...planned } = live;
    return { id: "", outputs: outputsOf(planned as KubeObject, remembered) };
  }
  const id = idOf(live.metadata);
  try {
    const settled = await ready(provider, client, {
      urn,
      live,
      isNew: true,
      timeout: timeoutOf(inputs, request.timeout),
    });
    return { id, outputs: outputsOf(settled, remembered) };
  } catch (error) {
    const current = await client.get(refOf(live)).catch(() => live);
    throw new InitFailedError(
      `resource "${urn}" was successfully created, but the Kubernetes API server reported that it failed to fully initialize or become live: ${(error as Error).message}`,
      id,
      outputsOf(current, remembered),
      error instanceof NotReadyError ? error.details : [],
    );
  }
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

function explain(error: unknown, urn: string, { apiVersion, kind }: KubeObject): Error {
  if (error instanceof UnknownKindError) {
    return new Error(
      `creation of resource "${urn}" with kind ${apiVersion}/${kind} failed because the Kubernetes API server reported that the apiVersion for this resource does not exist. Verify that any required CRDs have been created: ${error.message}`,
    );
  }
  if (!(error instanceof ApiError)) return error as Error;
  const advice = isAlreadyExists(error)
    ? "\n\nThe resource already exists in the cluster. To take it over use `pulumi import`; to keep its identity under a new resource name use an alias."
    : "";
  return new Error(
    `resource "${urn}" was not successfully created by the Kubernetes API server: ${error.message}${advice}`,
  );
}
