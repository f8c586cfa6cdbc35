/** The Kubernetes API, for any kind: what the lab's own controllers ask of it. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, apiError, isNotFound, isTransient, UnknownKindError, wasNotProcessed } from "./error.ts";
import { type Json, type JsonMap, type KubeObject, listAt, type ObjectRef, stringAt } from "./object.ts";
import type { ApiRequest, Transport } from "./transport.ts";

/** Owner of the fields that `create` and `apply` write, in `metadata.managedFields`. */
export const fieldManager = "drawbridge-lab";

/** Which objects are listed or watched, in all namespaces. */
export interface Selection {
  readonly apiVersion: string;
  readonly kind: string;
}

/** One line of a watch: what happened, and to what. */
interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubeObject;
}

/** How the API names a kind's collection. */
interface ResourceKind {
  /** For example `statefulsets`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

const retries = { attempts: 5, firstDelayMs: 200 };

export class KubeClient {
  readonly #transport: Transport;
  readonly #kinds = new Map<string, Promise<Map<string, ResourceKind>>>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What is at a path, without a second try, so that an absent server is noticed at once. */
  look(path: string): Promise<Json> {
    return this.#transport.send({ method: "GET", path });
  }

  async get(ref: ObjectRef): Promise<KubeObject> {
    return (await this.#send({ method: "GET", path: await this.#pathOf(ref) })) as KubeObject;
  }

  async list({ apiVersion, kind }: Selection): Promise<{ items: KubeObject[]; resourceVersion: string }> {
    const path = await this.#collection(apiVersion, kind);
    const list = (await this.#send({ method: "GET", path })) as JsonMap;
    const items = listAt(list, "items").map((item) => ({ ...(item as KubeObject), apiVersion, kind }));
    return { items, resourceVersion: stringAt(list, "metadata", "resourceVersion") ?? "" };
  }

  async *watch({ apiVersion, kind }: Selection, resourceVersion: string): AsyncGenerator<WatchEvent> {
    const query = new URLSearchParams({ watch: "true", resourceVersion, allowWatchBookmarks: "true" });
    const path = `${await this.#collection(apiVersion, kind)}?${query}`;
    for await (const line of this.#transport.lines({ method: "GET", path })) {
      const event = JSON.parse(line) as { type: string; object: JsonMap };
      if (event.type === "ERROR") throw apiError(Number(event.object.code), event.object);
      yield event as WatchEvent;
    }
  }

  async create(object: KubeObject): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const path = await this.#collection(apiVersion, kind, metadata.namespace || "default");
    await this.#send({ method: "POST", path: `${path}?fieldManager=${fieldManager}`, body: object });
  }

  /** Server-side apply, which takes fields over from other owners. */
  async apply(object: KubeObject): Promise<void> {
    const path = `${await this.#pathOf({ ...object, ...object.metadata })}?fieldManager=${fieldManager}&force=true`;
    await this.#send({ method: "PATCH", path, body: object, contentType: "application/apply-patch+yaml" });
  }

  /** @param subresource such as `/status` */
  async patch(ref: ObjectRef, body: Json, subresource = ""): Promise<void> {
    const path = `${await this.#pathOf(ref)}${subresource}`;
    await this.#send({ method: "PATCH", path, body, contentType: "application/merge-patch+json" });
  }

  /** Asks for the deletion of an object; what belongs to it goes first. */
  async delete(ref: ObjectRef): Promise<void> {
    const body = { propagationPolicy: "Foreground" };
    await this.#send({ method: "DELETE", path: await this.#pathOf(ref), body });
  }

  /** API discovery, cached for each API version. An unknown kind is not cached, since it may be there next time. */
  async #find(apiVersion: string, kind: string): Promise<ResourceKind> {
    const asked = this.#kinds.get(apiVersion) ?? this.#discover(apiVersion);
    this.#kinds.set(apiVersion, asked);
    let found: ResourceKind | undefined;
    try {
      found = (await asked).get(kind);
    } finally {
      if (found === undefined && this.#kinds.get(apiVersion) === asked) this.#kinds.delete(apiVersion);
    }
    if (found === undefined) throw new UnknownKindError(apiVersion, kind);
    return found;
  }

  async #discover(apiVersion: string): Promise<Map<string, ResourceKind>> {
    const list = await this.#send({ method: "GET", path: rootOf(apiVersion) }).catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    const resources = listAt(list, "resources") as { name: string; kind: string; namespaced: boolean }[];
    return new Map(
      resources
        // A name with a slash is a subresource, such as deployments/scale.
        .filter(({ name }) => !name.includes("/"))
        .map(({ name, kind, namespaced }) => [kind, { plural: name, namespaced }]),
    );
  }

  async #collection(apiVersion: string, kind: string, namespace?: string): Promise<string> {
    const { plural, namespaced } = await this.#find(apiVersion, kind);
    const inside = namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : "";
    return `${rootOf(apiVersion)}${inside}/${plural}`;
  }

  async #pathOf({ apiVersion, kind, name, namespace }: ObjectRef): Promise<string> {
    return `${await this.#collection(apiVersion, kind, namespace || "default")}/${encodeURIComponent(name)}`;
  }

  /** Sends again after a failure that passes: a read after any, a change only if the server did nothing with it. */
  async #send(request: ApiRequest): Promise<Json> {
    const again = request.method === "GET" ? isTransient : wasNotProcessed;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transport.send(request);
      } catch (error) {
        if (attempt >= retries.attempts || !again(error)) throw error;
        const wanted = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        await sleep(Math.max(wanted, retries.firstDelayMs * 2 ** (attempt - 1)));
      }
    }
  }
}

/** The root of an API version's paths: `/api/v1`, `/apis/apps/v1`. */
function rootOf(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
