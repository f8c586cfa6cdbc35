/** The activator: a door for each sleeping container, to which the gateway is led while it sleeps. */
import { setTimeout as sleep } from "node:timers/promises";
import { Door, type DoorOptions } from "./door.ts";
import type { WatchEvent } from "./kubernetes.ts";
import { pointAtActivator, pointAtContainer, portsInUse } from "./slices.ts";
import { type Container, containerOf, containersPath, keyOf, type StatefulSet } from "./workload.ts";

export interface ActivatorOptions extends Omit<DoorOptions, "onArrival"> {
  /** This pod's own address, which the gateway is given. */
  readonly address: string;
}

export class Activator {
  readonly #options: ActivatorOptions;
  readonly #doors = new Map<string, { readonly door: Door; readonly port: number }>();
  #known = new Map<string, number>();
  #ready = false;

  constructor(options: ActivatorOptions) {
    this.#options = options;
  }

  /** Whether every sleeping container has its door. */
  get ready(): boolean {
    return this.#ready;
  }

  get connections(): number {
    return [...this.#doors.values()].reduce((sum, { door }) => sum + door.connections, 0);
  }

  /** Follows the cluster until the signal, whatever becomes of the API server in between. */
  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (!signal.aborted) log({ outcome: "problem", reason: (error as Error).message });
      }
      if (!signal.aborted) await sleep(1000);
    }
    for (const { door } of this.#doors.values()) door.close();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { api, log } = this.#options;
    // Before a restart each had a port, and connections to it may be on their way.
    if (!this.#ready) this.#known = await portsInUse(api);
    const list = await api.get<{ items: StatefulSet[]; metadata: { resourceVersion: string } }>(containersPath);
    const now = new Map(list.items.map((item) => [keyOf(item.metadata), item]));
    for (const key of this.#doors.keys()) if (!now.has(key)) this.#forget(key);
    for (const item of list.items) await this.#take(item);
    this.#ready = true;
    const path = `${containersPath}&watch=1&resourceVersion=${list.metadata.resourceVersion}`;
    for await (const { type, object } of api.watch<StatefulSet>(path, signal) as AsyncGenerator<WatchEvent<StatefulSet>>) {
      if (type === "ERROR") return;
      if (type === "DELETED") this.#forget(keyOf(object.metadata));
      else await this.#take(object);
    }
    log({ outcome: "watch ended" });
  }

  async #take(set: StatefulSet): Promise<void> {
    const container = containerOf(set);
    const key = keyOf(set.metadata);
    if (container === undefined) {
      this.#forget(key);
      return;
    }
    const known = this.#doors.get(key);
    if (known === undefined && !container.asleep) {
      // Left from before a restart: it woke without us.
      if (this.#known.delete(key)) await this.#giveBack(container);
      return;
    }
    const wasAsleep = known?.door.container.asleep === true;
    known?.door.update(container);
    if (!container.asleep || wasAsleep) return;
    const { port } = known ?? (await this.#open(container));
    await this.#attempt(container, () =>
      pointAtActivator(this.#options.api, container, { address: this.#options.address, port }),
    );
  }

  async #open(container: Container): Promise<{ port: number }> {
    const { api: _, ...rest } = this.#options;
    const door = new Door(container, {
      ...rest,
      api: this.#options.api,
      onArrival: (arrived) => this.#giveBack(arrived),
    });
    const key = keyOf(container);
    const before = this.#known.get(key) ?? 0;
    const port = await door.listen(before).catch(() => door.listen(0));
    const opened = { door, port };
    this.#doors.set(key, opened);
    return opened;
  }

  async #giveBack(container: Container): Promise<void> {
    await this.#attempt(container, () => pointAtContainer(this.#options.api, container));
  }

  /** A slice that cannot be written now is written later: without it the gateway finds nobody, or us for too long. */
  async #attempt(container: Container, act: () => Promise<void>): Promise<void> {
    const { log } = this.#options;
    for (let tries = 0; ; tries += 1) {
      try {
        return await act();
      } catch (error) {
        log({ container: keyOf(container), outcome: "problem", reason: (error as Error).message });
        if (tries >= 20) return;
        await sleep(500 * Math.min(tries + 1, 10));
      }
    }
  }

  #forget(key: string): void {
    this.#doors.get(key)?.door.close();
    this.#doors.delete(key);
  }
}
