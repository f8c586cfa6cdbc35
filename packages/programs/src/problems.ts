import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { remember } from "./remember.ts";

/** Logs a container's problem once until it is another one, and counts it each time. */
export class Problems {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #counter: string;
  readonly #told = new Map<string, string>();

  /** @param counter name of the figure */
  constructor(log: Log, metrics: Metrics, counter: string) {
    this.#log = log;
    this.#metrics = metrics;
    this.#counter = counter;
    metrics.count(counter, {}, 0);
  }

  tell(container: string, error: unknown): void {
    const reason = error instanceof Error ? error.message.slice(0, 1000) : "something that is no error";
    this.#metrics.count(this.#counter, {});
    if (this.#told.get(container) !== reason) this.#log({ container, outcome: "problem", reason });
    remember(this.#told, container, reason);
  }

  solved(container: string): void {
    this.#told.delete(container);
  }

  /** The result; undefined if `read` throws, which is told. */
  attempt<T>(container: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.tell(container, error);
      return undefined;
    }
  }
}
