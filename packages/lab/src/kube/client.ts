/** The Kubernetes API, for any kind. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, apiError, isNotFound, isTransient, UnknownKindError, wasNotProcessed } from "./error.ts";
import { type Json, type JsonMap, type KubeObject, listAt, type ObjectRef, stringAt } from "./object.ts";
import type { ApiRequest, Transport } from "./transport.ts";

/** How a change is sent. */
export interface WriteOptions {
  /** Owner of the fields in `metadata.managedFields`. */
  readonly fieldManager: string;
  /** The server says what would become of it, and changes nothing. */
  readonly dryRun?: boolean;
  /** Takes fields over from other owners, which is a conflict otherwise. Only for apply. */
  readonly force?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Which objects are listed or watched; without a namespace those of all namespaces. */
export interface Selection {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** One line of a watch: what happened, and to what. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubeObject;
}

/** How the API names a kind's collection. */
export interface ResourceKind {
  /** For example `statefulsets`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Lets `burst` requests through at once and `qps` a second after that, in the order of asking. */
export interface RateLimit {
  readonly qps: number;
  readonly burst: number;
}

const PATCHES = { json: "application/json-patch+json", merge: "application/merge-patch+json" } as const;
const READ_RETRIES = { attempts: 5, firstDelay: 200 };

export class KubeClient {
  readonly server: string;
  readonly #transport: Transport;
  readonly #turn: (signal?: AbortSignal) => Promise<void>;
  readonly #kinds = new Map<string, Promise<Map<string, ResourceKind>>>();

  constructor(transport: Transport, limit: RateLimit = { qps: Number.POSITIVE_INFINITY, burst: 1 }) {
    this.server = transport.server;
    this.#transport = transport;
    this.#turn = tokenBucket(limit);
  }

  /** Whatever stands at a path, asked for once: this is how an absent server is noticed. */
  look(path: string, signal?: AbortSignal): Promise<Json> {
    return this.#transport.send({ method: "GET", path, signal });
  }

  async get(ref: ObjectRef, signal?: AbortSignal): Promise<KubeObject> {
    return (await this.#send({ method: "GET", path: await this.#pathOf(ref), signal })) as KubeObject;
  }

  async list(
    selection: Selection,
    signal?: AbortSignal,
  ): Promise<{ items: KubeObject[]; resourceVersion: string }> {
    const list = (await this.#send({
      method: "GET",
      path: await this.#queried(selection),
      signal,
    })) as JsonMap;
    const { apiVersion, kind } = selection;
    const items = listAt(list, "items").map((item) => ({ ...(item as KubeObject), apiVersion, kind }));
    return { items, resourceVersion: stringAt(list, "metadata", "resourceVersion") ?? "" };
  }

  async *watch(
    selection: Selection,
    resourceVersion: string,
    signal?: AbortSignal,
  ): AsyncGenerator<WatchEvent> {
    const path = await this.#queried(selection, {
      watch: "true",
      resourceVersion,
      allowWatchBookmarks: "true",
    });
    await this.#turn(signal);
    for await (const line of this.#transport.lines({ method: "GET", path, signal })) {
      const event = JSON.parse(line) as { type: string; object: JsonMap };
      if (event.type === "ERROR") throw apiError(Number(event.object.code), event.object);
      yield event as WatchEvent;
    }
  }

  async create(object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    const { apiVersion, kind, metadata } = object;
    const path = await this.#collection(apiVersion, kind, metadata.namespace || "default");
    return this.#write("POST", path, object, "application/json", options);
  }

  /** Server-side apply. */
  async apply(object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    const path = await this.#pathOf({ ...object, ...object.metadata });
    return this.#write("PATCH", path, object, "application/apply-patch+yaml", { force: false, ...options });
  }

  async replace(object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    const path = await this.#pathOf({ ...object, ...object.metadata });
    return this.#write("PUT", path, object, "application/json", options);
  }

  /** @param subresource such as `status` */
  async patch(
    ref: ObjectRef,
    form: keyof typeof PATCHES,
    body: Json,
    subresource?: string,
    signal?: AbortSignal,
  ): Promise<KubeObject> {
    const path = [await this.#pathOf(ref), ...(subresource === undefined ? [] : [subresource])].join("/");
    const contentType = PATCHES[form];
    return (await this.#send({ method: "PATCH", path, body, contentType, signal })) as KubeObject;
  }

  /** The object on its way out, or undefined where it is gone already. What belongs to it goes first, unless said. */
  async delete(
    ref: ObjectRef,
    propagationPolicy: "Background" | "Foreground" | "Orphan" = "Foreground",
    signal?: AbortSignal,
  ): Promise<KubeObject | undefined> {
    const path = await this.#pathOf(ref);
    const body = { propagationPolicy };
    const answer = await this.#send({ method: "DELETE", path, body, signal });
    return (answer as JsonMap).kind === "Status" ? undefined : (answer as KubeObject);
  }

  /**
   * Looks a kind up by API discovery, which is asked once for each API version. An unknown kind is asked for again each
   * time, since it may be there by then.
   */
  async find(apiVersion: string, kind: string): Promise<ResourceKind> {
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

  close(): void {
    this.#transport.close();
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

  async #collection(apiVersion: string, kind: string, namespace: string | undefined): Promise<string> {
    const { plural, namespaced } = await this.find(apiVersion, kind);
    const inside = namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : "";
    return `${rootOf(apiVersion)}${inside}/${plural}`;
  }

  async #pathOf({ apiVersion, kind, name, namespace }: ObjectRef): Promise<string> {
    return `${await this.#collection(apiVersion, kind, namespace || "default")}/${encodeURIComponent(name)}`;
  }

  async #queried(selection: Selection, more: Record<string, string> = {}): Promise<string> {
    const { apiVersion, kind, namespace, labelSelector, fieldSelector } = selection;
    const query = new URLSearchParams({
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...more,
    });
    return `${await this.#collection(apiVersion, kind, namespace)}?${query}`;
  }

  async #write(
    method: "POST" | "PUT" | "PATCH",
    path: string,
    body: Json,
    contentType: string,
    { fieldManager, dryRun, force, signal, onWarning }: WriteOptions,
  ): Promise<KubeObject> {
    const query = new URLSearchParams({ fieldManager });
    if (dryRun) query.set("dryRun", "All");
    if (force !== undefined) query.set("force", String(force));
    const request = { method, path: `${path}?${query}`, body, contentType, signal, onWarning };
    return (await this.#send(request)) as KubeObject;
  }

  #send(request: ApiRequest): Promise<Json> {
    const again = request.method === "GET" ? isTransient : wasNotProcessed;
    return retry(READ_RETRIES, again, request.signal, async () => {
      await this.#turn(request.signal);
      return this.#transport.send(request);
    });
  }
}

/** The root of an API version's paths: `/api/v1`, `/apis/apps/v1`. */
function rootOf(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/**
 * Runs `work` again as long as `again` says so of its error; the last error is thrown.
 * @param policy how often, and after how many milliseconds the first time (doubled each time)
 */
export async function retry<T>(
  policy: { readonly attempts: number; readonly firstDelay: number },
  again: (error: unknown) => boolean,
  signal: AbortSignal | undefined,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= policy.attempts || !again(error)) throw error;
      const wanted = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      await sleep(Math.max(wanted, policy.firstDelay * 2 ** (attempt - 1)), undefined, given(signal));
    }
  }
}

/** Returns a function that waits until the next request may go. */
export function tokenBucket(
  { qps, burst }: RateLimit,
  now: () => number = () => performance.now(),
  wait: (milliseconds: number, signal?: AbortSignal) => Promise<unknown> = (milliseconds, signal) =>
    sleep(milliseconds, undefined, given(signal)),
): (signal?: AbortSignal) => Promise<void> {
  if (qps === Number.POSITIVE_INFINITY) return async () => {};
  let tokens = burst;
  let last = now();
  return async (signal) => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - last) / 1000) * qps) - 1;
    last = time;
    // A debt of tokens is the queue: everyone who asks later owes more and waits longer.
    if (tokens < 0) await wait((-tokens / qps) * 1000, signal);
  };
}

function given(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
