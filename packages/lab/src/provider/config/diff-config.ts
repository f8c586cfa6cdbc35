import { isDeepStrictEqual } from "node:util";
import { loadConnection } from "../../kube/kubeconfig.ts";
import { textOf, UNKNOWN, type ValueMap } from "../values/property.ts";

/** What a change of the provider's own configuration means for its resources. */
export interface ConfigDiff {
  readonly changed: readonly string[];
  /** Keys whose change means another cluster, so that every resource is replaced. */
  readonly replaces: readonly string[];
}

const CLUSTER_KEYS = ["kubeconfig", "context", "cluster"] as const;

/** Another server means another cluster, as far as a kubeconfig can tell. */
export function diffConfig(olds: ValueMap, news: ValueMap): ConfigDiff {
  const keys = [...new Set([...Object.keys(olds), ...Object.keys(news)])].sort();
  const changed = keys.filter((key) => news[key] === UNKNOWN || !isDeepStrictEqual(olds[key], news[key]));
  const moved = changed.filter((key) => (CLUSTER_KEYS as readonly string[]).includes(key));
  // A value that is not known yet may well be another cluster's.
  const unknown = moved.filter((key) => news[key] === UNKNOWN);
  if (unknown.length > 0 || moved.length === 0) return { changed, replaces: unknown };
  const [before, after] = [serverOf(olds), serverOf(news)];
  return { changed, replaces: before !== undefined && after !== undefined && before !== after ? moved : [] };
}

function serverOf(config: ValueMap): string | undefined {
  const [kubeconfig, context, cluster] = CLUSTER_KEYS.map((key) => textOf(config[key]) || undefined);
  try {
    return loadConnection({ kubeconfig, context, cluster }).server;
  } catch {
    return undefined;
  }
}
