import type { Json, JsonMap } from "../values/property.ts";
import { apiError } from "./api-error.ts";
import { apiRoot, cachedDiscovery, type Discovery } from "./discovery.ts";
import type { KubeObject, ObjectRef } from "./object.ts";
import { isTransient, READ_RETRIES, retry, wasNotProcessed } from "./retry.ts";
import type { ApiRequest, Transport } from "./transport.ts";

/** How a change is sent. */
export interface WriteOptions {
  /** Owner of the fields in `metadata.managedFields`. */
  readonly fieldManager: string;
  /** The server says what would become of it, and changes nothing. */
  readonly dryRun: boolean;
  /** Takes fields over from other owners, which is a conflict otherwise. Only for apply. */
  readonly force?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Which objects of a namespace are listed or watched. */
export interface Selection {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** One line of a watch: what happened, and to what. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubeObject;
}

export type PropagationPolicy = "Foreground" | "Background" | "Orphan";

/** The Kubernetes API, for any kind. */
export interface KubeClient {
  readonly server: string;
  readonly discovery: Discovery;
  version(signal?: AbortSignal): Promise<string>;
  get(ref: ObjectRef, signal?: AbortSignal): Promise<KubeObject>;
  list(selection: Selection, signal?: AbortSignal): Promise<{ items: KubeObject[]; resourceVersion: string }>;
  watch(selection: Selection, resourceVersion: string, signal: AbortSignal): AsyncIterable<WatchEvent>;
  create(object: KubeObject, options: WriteOptions): Promise<KubeObject>;
  /** Server-side apply. */
  apply(object: KubeObject, options: WriteOptions): Promise<KubeObject>;
  replace(object: KubeObject, options: WriteOptions): Promise<KubeObject>;
  /** RFC 6902. */
  jsonPatch(ref: ObjectRef, patch: Json, signal?: AbortSignal): Promise<KubeObject>;
  /** The object on its way out, or undefined where it is gone already. */
  delete(ref: ObjectRef, policy: PropagationPolicy, signal?: AbortSignal): Promise<KubeObject | undefined>;
  close(): void;
}

/**
 * @param turn waits for the client's turn under its rate limit
 */
export function kubeClient(transport: Transport, turn: (signal?: AbortSignal) => Promise<void>): KubeClient {
  async function send(request: ApiRequest): Promise<Json> {
    const again = request.method === "GET" ? isTransient : wasNotProcessed;
    return retry(READ_RETRIES, again, request.signal, async () => {
      await turn(request.signal);
      return transport.send(request);
    });
  }
  const discovery = cachedDiscovery((path) => send({ method: "GET", path }));

  async function collection(
    apiVersion: string,
    kind: string,
    namespace: string | undefined,
  ): Promise<string> {
    const { plural, namespaced } = await discovery.find(apiVersion, kind);
    const inside = namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : "";
    return `${apiRoot(apiVersion)}${inside}/${plural}`;
  }
  async function pathOf(ref: ObjectRef): Promise<string> {
    const namespace = ref.namespace || "default";
    return `${await collection(ref.apiVersion, ref.kind, namespace)}/${encodeURIComponent(ref.name)}`;
  }
  async function write(
    method: "POST" | "PUT" | "PATCH",
    path: string,
    body: Json,
    contentType: string,
    options: WriteOptions,
  ): Promise<KubeObject> {
    const query = new URLSearchParams({ fieldManager: options.fieldManager });
    if (options.dryRun) query.set("dryRun", "All");
    if (options.force !== undefined) query.set("force", String(options.force));
    const { signal, onWarning } = options;
    return (await send({
      method,
      path: `${path}?${query}`,
      body,
      contentType,
      signal,
      onWarning,
    })) as KubeObject;
  }

  return {
    server: transport.server,
    discovery,
    async version(signal) {
      // Once, without retries: this is how an absent cluster is noticed.
      const version = await transport.send({ method: "GET", path: "/version", signal });
      return String((version as JsonMap).gitVersion);
    },
    async get(ref, signal) {
      return (await send({ method: "GET", path: await pathOf(ref), signal })) as KubeObject;
    },
    async list(selection, signal) {
      const path = `${await collection(selection.apiVersion, selection.kind, selection.namespace)}?${queryOf(selection)}`;
      const list = (await send({ method: "GET", path, signal })) as JsonMap;
      const items = (list.items as JsonMap[]).map((item) => ({
        ...item,
        apiVersion: selection.apiVersion,
        kind: selection.kind,
      })) as KubeObject[];
      return { items, resourceVersion: String((list.metadata as JsonMap).resourceVersion) };
    },
    async *watch(selection, resourceVersion, signal) {
      const query = queryOf(selection);
      query.set("watch", "true");
      query.set("resourceVersion", resourceVersion);
      query.set("allowWatchBookmarks", "true");
      const path = `${await collection(selection.apiVersion, selection.kind, selection.namespace)}?${query}`;
      await turn(signal);
      for await (const line of transport.lines({ method: "GET", path, signal })) {
        const event = JSON.parse(line) as { type: string; object: JsonMap };
        if (event.type === "ERROR") throw apiError(Number(event.object.code), event.object);
        yield event as unknown as WatchEvent;
      }
    },
    async create(object, options) {
      const path = await collection(object.apiVersion, object.kind, object.metadata.namespace || "default");
      return write("POST", path, object, "application/json", options);
    },
    async apply(object, options) {
      const path = await pathOf({ ...object, ...object.metadata });
      return write("PATCH", path, object, "application/apply-patch+yaml", { force: false, ...options });
    },
    async replace(object, options) {
      return write(
        "PUT",
        await pathOf({ ...object, ...object.metadata }),
        object,
        "application/json",
        options,
      );
    },
    async jsonPatch(ref, body, signal) {
      const contentType = "application/json-patch+json";
      return (await send({
        method: "PATCH",
        path: await pathOf(ref),
        body,
        contentType,
        signal,
      })) as KubeObject;
    },
    async delete(ref, propagationPolicy, signal) {
      const answer = await send({
        method: "DELETE",
        path: await pathOf(ref),
        body: { propagationPolicy },
        signal,
      });
      return (answer as JsonMap).kind === "Status" ? undefined : (answer as KubeObject);
    },
    close: () => transport.close(),
  };
}

function queryOf(selection: Selection): URLSearchParams {
  const query = new URLSearchParams();
  if (selection.labelSelector) query.set("labelSelector", selection.labelSelector);
  if (selection.fieldSelector) query.set("fieldSelector", selection.fieldSelector);
  return query;
}
