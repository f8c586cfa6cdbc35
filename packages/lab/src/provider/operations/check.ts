import { isNamespacedBuiltin } from "../kinds/scope.ts";
import { type Gvk, parseTypeToken } from "../kinds/type-token.ts";
import { UnknownKindError } from "../kubernetes/api-error.ts";
import type { Provider } from "../provider.ts";
import { mapOf, reveal, UNKNOWN, type ValueMap, withoutNulls } from "../values/property.ts";
import { keepSecrets } from "../values/secrets.ts";
import { type NamingRequest, withName } from "./naming.ts";

export interface CheckRequest extends NamingRequest {
  readonly urn: string;
  readonly type: string;
  /** Inputs of the last update; empty for a new resource. */
  readonly olds: ValueMap;
  readonly news: ValueMap;
}

/** Completes a program's inputs: kind, name, namespace. */
export async function check(provider: Provider, request: CheckRequest): Promise<ValueMap> {
  const { urn, olds, news } = request;
  if (provider.settings.skipUpdateUnreachable && !(await provider.cluster()).reachable) {
    provider.engine.warn(
      urn,
      "the cluster is unreachable and skipUpdateUnreachable is set, so this resource is skipped.",
    );
    return olds;
  }
  const kind = parseTypeToken(request.type);
  const given = withoutNulls(reveal(news) as ValueMap);
  const named = withName({ ...given, apiVersion: kind.apiVersion, kind: kind.kind }, olds, request);
  return keepSecrets(await withNamespace(provider, kind, named), news);
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
  return cluster.client.discovery.find(kind.apiVersion, kind.kind).then(
    ({ namespaced }) => namespaced,
    (error: unknown) => {
      if (error instanceof UnknownKindError) return true;
      throw error;
    },
  );
}
