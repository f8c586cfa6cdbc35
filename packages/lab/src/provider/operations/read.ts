import { liveInShapeOf } from "../kinds/secret-data.ts";
import { parseTypeToken } from "../kinds/type-token.ts";
import { isNotFound, UnknownKindError } from "../kubernetes/api-error.ts";
import { type KubeObject, parseId } from "../kubernetes/object.ts";
import { type Provider, requireClient } from "../provider.ts";
import { mapOf, reveal, type ValueMap } from "../values/property.ts";
import { keepSecrets } from "../values/secrets.ts";
import { drifted } from "./compare.ts";
import { CREATE_MANAGER } from "./field-managers.ts";
import { outputsOf, readOutputs } from "./manifest.ts";
import { uniqueName } from "./naming.ts";

export interface ReadRequest {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  /** Both are empty for an object that the stack did not have so far. */
  readonly inputs: ValueMap;
  readonly outputs: ValueMap;
}

/** What the cluster has; undefined for an object that is gone. */
export type ReadResult = { readonly inputs: ValueMap; readonly outputs: ValueMap } | undefined;

/** Reads an object from the cluster, for a refresh, an import or a `get`. */
export async function read(provider: Provider, request: ReadRequest): Promise<ReadResult> {
  const { urn, inputs } = request;
  const cluster = await provider.cluster();
  if (!cluster.reachable) {
    provider.engine.warn(urn, `configured Kubernetes cluster is unreachable: ${cluster.reason}`);
    if (provider.settings.deleteUnreachable) return undefined;
    if (provider.settings.skipUpdateUnreachable) return { inputs, outputs: request.outputs };
    throw new Error(
      `failed to read "${request.id}" because the cluster is unreachable. If the cluster is gone for good, set PULUMI_K8S_DELETE_UNREACHABLE=true to drop its resources from the state.`,
    );
  }
  const client = await requireClient(provider);
  const { apiVersion, kind } = parseTypeToken(request.type);
  let live: KubeObject;
  try {
    live = await client.get({ apiVersion, kind, ...parseId(request.id) }, provider.cancelled);
  } catch (error) {
    if (isNotFound(error) || error instanceof UnknownKindError) return undefined;
    throw error;
  }
  const old = readOutputs(request.outputs);
  const isNew = mapOf(inputs.metadata).name === undefined;
  const found = isNew ? importedInputs(live) : refreshedInputs(inputs, old.live, live);
  const fieldManager = old.fieldManager || uniqueName(CREATE_MANAGER, new Uint8Array());
  const remembered = { inputs: found, initialApiVersion: old.initialApiVersion || apiVersion, fieldManager };
  return { inputs: found, outputs: outputsOf(live, remembered) };
}

function refreshedInputs(inputs: ValueMap, before: ValueMap, live: KubeObject): ValueMap {
  const plain = reveal(inputs) as ValueMap;
  const was = liveInShapeOf(reveal(before) as ValueMap, plain);
  const now = liveInShapeOf(live as ValueMap, plain);
  return keepSecrets(mapOf(drifted(plain, was, now)), inputs);
}

const SERVER_SET = new Set(["creationTimestamp", "generation", "managedFields", "resourceVersion", "uid"]);

/** An object's inputs as far as the cluster can tell them: all but its status and what only the server sets. */
function importedInputs(live: KubeObject): ValueMap {
  const { status: _, metadata, ...rest } = live;
  const own = Object.entries(metadata).filter(([key]) => !SERVER_SET.has(key));
  return keepSecrets({ ...rest, metadata: Object.fromEntries(own) } as ValueMap, {});
}
