/** What istiod has told the proxies of the mesh, read from the proxies themselves. */
import { kubectl, podNames } from "../../../scripts/lib/lab/lab.ts";

export interface ProxyConfig {
  readonly configs: readonly Record<string, unknown>[];
}

/** Envoy's whole configuration, endpoints included, in each pod that the label selector finds. */
export async function proxyConfigs(namespace: string, selector: string): Promise<ProxyConfig[]> {
  const pods = await podNames(namespace, selector);
  return Promise.all(
    pods.map(async (name) => {
      const ask = ["pilot-agent", "request", "GET", "config_dump?include_eds"];
      const dump = await kubectl(["-n", namespace, "exec", name, "-c", "istio-proxy", "--", ...ask]);
      // pilot-agent may log a line first.
      return JSON.parse(dump.slice(dump.search(/^\{/m))) as ProxyConfig;
    }),
  );
}

/** Every value of a key, wherever it stands. */
export function valuesOf(key: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((inner) => valuesOf(key, inner));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...valuesOf(key, inner),
  ]);
}

/** The parts of a configuration whose type has this ending, such as `RoutesConfigDump`. */
export function partsOf({ configs }: ProxyConfig, end: string): Record<string, unknown>[] {
  return configs.filter((one) => `${one["@type"]}`.endsWith(end));
}
