/** The activator: a listener for each sleeping container, to which the gateway is led while it sleeps. */
import { setTimeout as sleep } from "node:timers/promises";
import { pages } from "../kubernetes.ts";
import { ContainerListener, type ListenerOptions } from "./listener.ts";
import { portsInUse, ServiceSlice } from "./service-slice.ts";
import { type Container, containerOf, containersPath, keyOf, type StatefulSet } from "./workload.ts";

export interface ActivatorOptions extends Omit<ListenerOptions, "onArrival"> {
  /** This pod's own address, which the gateway is given. */
  readonly address: string;
  /** Whose containers are answered for, as `namespace/name`. */
  readonly gateway: string;
  /** After so long it is ready also without those that cannot be answered for, in milliseconds. */
  readonly settleWithinMs?: number;
}

/** What stands in for one container. Its port stays open after the container woke: connections to it may still be on their way. */
interface StandIn {
  readonly slice: ServiceSlice;
  readonly listener: ContainerListener;
  readonly port: Promise<number>;
}

export class Activator {
  readonly #options: ActivatorOptions;
  readonly #standIns = new Map<string, StandIn>();
  #known = new Map<string, number>();
  #ready = false;

  constructor(options: ActivatorOptions) {
    this.#options = options;
  }

  /** Whether every sleeping container has its slice, or the time for that is over. */
  get ready(): boolean {
    return this.#ready;
  }

  get connections(): number {
    return [...this.#standIns.values()].reduce((sum, { listener }) => sum + listener.connections, 0);
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
    for (const { listener } of this.#standIns.values()) listener.close();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { api } = this.#options;
    // Before a restart each had a port, and connections to it may be on their way.
    if (!this.#ready) this.#known = await portsInUse(api);
    const there = new Set<string>();
    const seen: Promise<void>[] = [];
    let from = "";
    for await (const { items, metadata } of pages<StatefulSet>(api, containersPath)) {
      for (const item of items) {
        there.add(keyOf(item.metadata));
        seen.push(this.#see(item, true));
      }
      from = metadata.resourceVersion;
    }
    for (const key of this.#standIns.keys()) if (!there.has(key)) this.#forget(key);
    // A namespace may take no slice, for as long as it likes; meanwhile others' containers come, go, sleep and wake.
    const enough = sleep(this.#options.settleWithinMs ?? 10_000, undefined, { ref: false });
    void Promise.race([Promise.all(seen), enough]).then(() => {
      this.#ready = true;
    });
    const path = `${containersPath}&watch=1&resourceVersion=${from}`;
    for await (const { type, object } of api.watch<StatefulSet>(path, signal)) {
      if (type === "ERROR") return;
      if (type === "DELETED") this.#forget(keyOf(object.metadata));
      else void this.#see(object, false);
    }
  }

  /** What is wrong with one container is told, and is no other's. */
  #see(set: StatefulSet, mayHaveMissed: boolean): Promise<void> {
    return this.#take(set, mayHaveMissed).catch((error: Error) =>
      this.#options.log({ container: keyOf(set.metadata), outcome: "problem", reason: error.message }),
    );
  }

  /** @param mayHaveMissed whether changes may have gone unseen (a list, not a watch), so that the slice is written in any case */
  async #take(set: StatefulSet, mayHaveMissed: boolean): Promise<void> {
    const container = containerOf(set, this.#options.gateway);
    const key = keyOf(set.metadata);
    if (container === undefined) {
      // It may not sleep any more.
      await this.#standIns.get(key)?.slice.toContainer(set.metadata);
      this.#forget(key);
      return;
    }
    const known = this.#standIns.get(key);
    if (known === undefined && !container.asleep) {
      // Left from before a restart: it woke without us.
      if (this.#known.delete(key))
        await new ServiceSlice(this.#options.api, this.#options.log).toContainer(container);
      return;
    }
    const wasAsleep = known?.listener.container.asleep === true;
    known?.listener.update(container);
    if (!container.asleep || (wasAsleep && !mayHaveMissed)) return;
    const standIn = known ?? this.#answerFor(container);
    const port = await standIn.port;
    // It may have woken while the port was opened.
    if (!standIn.listener.container.asleep) return;
    await standIn.slice.toActivator(container, { address: this.#options.address, port });
  }

  #answerFor(container: Container): StandIn {
    const { api, log } = this.#options;
    const slice = new ServiceSlice(api, log);
    const listener = new ContainerListener(container, {
      ...this.#options,
      onArrival: (arrived) => slice.toContainer(arrived),
    });
    const key = keyOf(container);
    const port = listener.listen(this.#known.get(key) ?? 0).catch(() => listener.listen(0));
    const standIn = { slice, listener, port };
    this.#standIns.set(key, standIn);
    return standIn;
  }

  #forget(key: string): void {
    const standIn = this.#standIns.get(key);
    standIn?.listener.abandon();
    standIn?.slice.stop();
    this.#standIns.delete(key);
  }
}
