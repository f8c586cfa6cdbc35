import { UnknownKindError } from "../../kube/error.ts";
import { annotationOf, UNSUPPORTED } from "../kinds/annotations.ts";
import { normalized } from "../kinds/normalize.ts";
import { type Gvk, isNamespacedBuiltin, parseTypeToken } from "../kinds/type-token.ts";
import type { Provider } from "../provider.ts";
import { keepSecrets, mapOf, reveal, UNKNOWN, type ValueMap, withoutNulls } from "../values/property.ts";
import { type NamingRequest, withName } from "./manifest.ts";

export interface CheckRequest extends NamingRequest {
  readonly type: string;
  /** Inputs of the last update; empty for a new resource. */
  readonly olds: ValueMap;
  readonly news: ValueMap;
}

/** Completes a program's inputs: kind, name, namespace, and the form in which they are kept. */
export async function check(provider: Provider, request: CheckRequest): Promise<ValueMap> {
  const { olds, news } = request;
  const kind = parseTypeToken(request.type);
  const given = withoutNulls(reveal(news) as ValueMap);
  const used = UNSUPPORTED.find((name) => annotationOf(given, name) !== undefined);
  if (used !== undefined)
    throw new Error(`the annotation ${used} is not supported by the stand-in provider. Leave it out.`);
  const whole = normalized({ ...given, apiVersion: kind.apiVersion, kind: kind.kind }, kind);
  return keepSecrets(await withNamespace(provider, kind, withName(whole, olds, request)), news);
}

async function withNamespace(provider: Provider, kind: Gvk, inputs: ValueMap): Promise<ValueMap> {
  if (inputs.metadata === UNKNOWN) return inputs;
  const { namespace, ...metadata } = mapOf(inputs.metadata);
  const wanted = namespace || provider.namespace;
  if (wanted === undefined || !(await isNamespaced(provider, kind))) return { ...inputs, metadata };
  return { ...inputs, metadata: { ...metadata, namespace: wanted } };
}

async function isNamespaced(provider: Provider, kind: Gvk): Promise<boolean> {
  const builtin = isNamespacedBuiltin(kind);
  if (builtin !== undefined) return builtin;
  const cluster = await provider.cluster();
  // A custom resource whose definition cannot be seen yet is taken for namespaced, which most are.
  if (!cluster.reachable) return true;
  return cluster.client.find(kind.apiVersion, kind.kind).then(
    ({ namespaced }) => namespaced,
    (error: unknown) => {
      if (error instanceof UnknownKindError) return true;
      throw error;
    },
  );
}
