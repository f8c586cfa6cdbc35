import { isNotFound, UnknownKindError } from "../../kube/error.ts";
import type { KubeObject } from "../../kube/object.ts";
import { normalized, withoutServerSet } from "../kinds/normalize.ts";
import { parseTypeToken } from "../kinds/type-token.ts";
import { type Provider, requireClient } from "../provider.ts";
import { keepSecrets, mapOf, reveal, type ValueMap } from "../values/property.ts";
import { pruned } from "./diff.ts";
import { newFieldManager, outputsOf, parseId, readOutputs } from "./manifest.ts";

export interface ReadRequest {
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
  const client = await requireClient(provider, "failed to read resource state due to unreachable cluster");
  const kind = parseTypeToken(request.type);
  let live: KubeObject;
  try {
    live = await client.get({ ...kind, ...parseId(request.id) }, provider.cancelled);
  } catch (error) {
    if (isNotFound(error) || error instanceof UnknownKindError) return undefined;
    throw error;
  }
  const old = readOutputs(request.outputs);
  const known = reveal(request.inputs) as ValueMap;
  const { status: _, ...rest } = live;
  const found =
    mapOf(known.metadata).name === undefined
      ? withoutServerSet(rest as ValueMap)
      : mapOf(pruned(live, normalized(known, kind)));
  const inputs = keepSecrets(found, request.inputs);
  const fieldManager = old.fieldManager || newFieldManager();
  const initialApiVersion = old.initialApiVersion || kind.apiVersion;
  return { inputs, outputs: outputsOf(live, { inputs, initialApiVersion, fieldManager }) };
}
