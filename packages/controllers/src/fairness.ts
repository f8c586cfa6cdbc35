/** One team neither keeps the others waiting nor fills the memory. */
import type { Kubernetes } from "./api-server.ts";

const most = 10_000;

/** Keeps a value as the newest, and forgets the oldest beyond a limit, so that others cannot fill the memory. */
export function remember<K, V>(known: Map<K, V>, key: K, value: V): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > most && oldest !== undefined) known.delete(oldest);
}

/** The most calls under way at the same time: in all, and about objects of one namespace. */
const limits = { all: 16, perNamespace: 4 };

export class Turns {
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  readonly #busy = new Map<string, number>();
  #all = 0;

  /** Begins when it is the namespace's turn. */
  run<T>(namespace: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(namespace) ?? [];
      queue.push(() => work().then(resolve, reject));
      this.#waiting.set(namespace, queue);
      this.#next();
    });
  }

  #next(): void {
    for (const [namespace, queue] of this.#waiting) {
      if (this.#all >= limits.all) return;
      const busy = this.#busy.get(namespace) ?? 0;
      if (busy >= limits.perNamespace) continue;
      const work = queue.shift();
      // Moved to the end of the map, which this loop still reaches.
      this.#waiting.delete(namespace);
      if (queue.length > 0) this.#waiting.set(namespace, queue);
      if (work !== undefined) void this.#begin(namespace, busy, work);
    }
  }

  async #begin(namespace: string, busy: number, work: () => Promise<void>): Promise<void> {
    this.#busy.set(namespace, busy + 1);
    this.#all += 1;
    await work();
    this.#all -= 1;
    const left = (this.#busy.get(namespace) ?? 1) - 1;
    if (left > 0) this.#busy.set(namespace, left);
    else this.#busy.delete(namespace);
    this.#next();
  }
}

/** The API whose calls about objects of one namespace wait for their turn. Lists and watches are about everybody's. */
export function byTurns(api: Kubernetes): Kubernetes {
  const turns = new Turns();
  const inTurn = <T>(path: string, call: () => Promise<T>) => {
    const [, namespace] = /\/namespaces\/([^/]+)\//.exec(path) ?? [];
    return namespace === undefined ? call() : turns.run(namespace, call);
  };
  return {
    get: (path) => inTurn(path, () => api.get(path)),
    text: (path, limit) => inTurn(path, () => api.text(path, limit)),
    send: (method, path, body) => inTurn(path, () => api.send(method, path, body)),
    watch: (path, signal) => api.watch(path, signal),
  };
}
