import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "./client.ts";

/** What every object of the API has. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: {
    name?: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
  };
}

interface ListOf<T> {
  metadata: { resourceVersion: string };
  items: T[];
}

interface WatchEvent<T> {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  object: T;
}

/** Pause before a lost watch begins again, in milliseconds. */
const pause = 500;

/**
 * Keeps a copy of a collection for as long as the process lives and calls `changed` after each change, the first
 * time with the full list. A lost watch starts over with a new list, so nothing is missed for good.
 */
export class Mirror<T extends KubeObject> {
  readonly #api: ApiClient;
  readonly #path: string;
  readonly #changed: () => void;
  #items = new Map<string, T>();
  #listed = false;

  /** @param path of the collection in all namespaces, for example `/api/v1/pods` */
  constructor(api: ApiClient, path: string, changed: () => void) {
    this.#api = api;
    this.#path = path;
    this.#changed = changed;
    void this.#follow();
  }

  get items(): T[] {
    return [...this.#items.values()];
  }

  /** Whether the collection was read at least once; before that `items` says nothing. */
  get listed(): boolean {
    return this.#listed;
  }

  async #follow(): Promise<never> {
    for (;;) {
      try {
        await this.#watch(await this.#list());
      } catch (error) {
        console.error(`watch of ${this.#path} lost, starting over: ${String(error)}`);
      }
      await sleep(pause);
    }
  }

  async #list(): Promise<string> {
    const list = await this.#api.get<ListOf<T>>(this.#path);
    this.#items = new Map(list.items.map((item) => [keyOf(item), item]));
    this.#listed = true;
    this.#changed();
    return list.metadata.resourceVersion;
  }

  async #watch(version: string): Promise<void> {
    const response = await this.#api.open(
      `${this.#path}?watch=1&allowWatchBookmarks=true&resourceVersion=${version}`,
    );
    try {
      for await (const line of createInterface(response)) {
        const event = JSON.parse(line) as WatchEvent<T>;
        if (event.type === "ERROR") return;
        this.#take(event);
      }
    } finally {
      response.destroy();
    }
  }

  #take(event: WatchEvent<T>): void {
    if (event.type === "BOOKMARK") return;
    if (event.type === "DELETED") this.#items.delete(keyOf(event.object));
    else this.#items.set(keyOf(event.object), event.object);
    this.#changed();
  }
}

function keyOf(object: KubeObject): string {
  return `${object.metadata?.namespace ?? ""}/${object.metadata?.name ?? ""}`;
}
