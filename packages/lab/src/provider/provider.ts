import type { Settings } from "./config/settings.ts";
import { UnreachableError } from "./kubernetes/api-error.ts";
import { type KubeClient, kubeClient } from "./kubernetes/client.ts";
import { type Connection, loadConnection } from "./kubernetes/kubeconfig.ts";
import { tokenBucket } from "./kubernetes/rate-limit.ts";
import { httpTransport } from "./kubernetes/transport.ts";

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
  close(): void;
}

export function configure(settings: Settings, engine: Engine, cancelled: AbortSignal): Provider {
  let connection: Connection | undefined;
  let client: KubeClient | undefined;
  let reason = "";
  try {
    connection = loadConnection(settings.source);
    client = kubeClient(httpTransport(connection), tokenBucket(settings.rateLimit));
  } catch (error) {
    // Previews work without a cluster, so a missing kubeconfig is no error yet.
    reason = (error as Error).message;
  }
  let found: Promise<Cluster> | undefined;
  return {
    settings,
    namespace: settings.namespace ?? connection?.namespace,
    engine,
    cancelled,
    cluster: () => {
      found ??=
        client === undefined ? Promise.resolve({ reachable: false, reason }) : probe(client, cancelled);
      return found;
    },
    close: () => client?.close(),
  };
}

async function probe(client: KubeClient, cancelled: AbortSignal): Promise<Cluster> {
  try {
    await client.version(cancelled);
    return { reachable: true, client };
  } catch (error) {
    if (error instanceof UnreachableError) return { reachable: false, reason: error.message };
    // The server is there: /version itself may be closed to this user.
    return { reachable: true, client };
  }
}

/** The client of a cluster that a real change needs. */
export async function requireClient(provider: Provider): Promise<KubeClient> {
  const cluster = await provider.cluster();
  if (cluster.reachable) return cluster.client;
  throw new Error(`configured Kubernetes cluster is unreachable: ${cluster.reason}`);
}
