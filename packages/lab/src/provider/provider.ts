import { KubeClient } from "../kube/client.ts";
import { UnreachableError } from "../kube/error.ts";
import { loadConnection } from "../kube/kubeconfig.ts";
import { httpTransport } from "../kube/transport.ts";
import type { Settings } from "./config/settings.ts";

/** The release of the official provider whose behaviour the stand-in follows, and which is installed where it can be. */
export const KUBERNETES_PROVIDER_VERSION = "4.34.2";

/** Says something about a resource to the person who runs Pulumi. */
export interface Engine {
  /** Replaces the resource's status line. */
  status(urn: string, text: string): void;
  warn(urn: string, text: string): void;
}

/** The cluster as it was found when the first operation needed it. */
export type Cluster =
  | { readonly reachable: true; readonly client: KubeClient }
  | { readonly reachable: false; readonly reason: string };

/** A configured provider: all that its operations need. */
export interface Provider {
  readonly settings: Settings;
  /** Namespace of objects that name none; undefined without a kubeconfig. */
  readonly namespace: string | undefined;
  readonly engine: Engine;
  /** Aborted when the engine cancels. */
  readonly cancelled: AbortSignal;
  /** Finds out, once, whether the API server answers. */
  cluster(): Promise<Cluster>;
}

export function configure(settings: Settings, engine: Engine, cancelled: AbortSignal): Provider {
  let find: () => Promise<Cluster>;
  let { namespace } = settings;
  try {
    const connection = loadConnection(settings.source);
    const client = new KubeClient(httpTransport(connection), settings.rateLimit);
    namespace ??= connection.namespace;
    find = () => probe(client, cancelled);
  } catch (error) {
    // Previews work without a cluster, so a missing kubeconfig is no error yet.
    find = async () => ({ reachable: false, reason: (error as Error).message });
  }
  let found: Promise<Cluster> | undefined;
  const cluster = () => {
    found ??= find();
    return found;
  };
  return { settings, namespace, engine, cancelled, cluster };
}

async function probe(client: KubeClient, cancelled: AbortSignal): Promise<Cluster> {
  try {
    await client.look("/version", cancelled);
    return { reachable: true, client };
  } catch (error) {
    if (error instanceof UnreachableError) return { reachable: false, reason: error.message };
    // The server is there: /version itself may be closed to this user.
    return { reachable: true, client };
  }
}

/** The client of a cluster that a real change needs. */
export async function requireClient(
  provider: Provider,
  otherwise = "configured Kubernetes cluster is unreachable",
): Promise<KubeClient> {
  const cluster = await provider.cluster();
  if (cluster.reachable) return cluster.client;
  throw new Error(`${otherwise}: ${cluster.reason}`);
}
