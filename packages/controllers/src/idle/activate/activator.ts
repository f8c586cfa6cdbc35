/**
 * The activator: for each sleeping container a port (listen-for-client.ts), to which lead-gateway.ts leads the gateway while
 * it sleeps. A wake is drawn in docs/architecture.md.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Identity, keyOf, pages } from "../../api-server.ts";
import { byTurns } from "../../fairness.ts";
import { Unreadable } from "../../read.ts";
import { Problems } from "../../telemetry.ts";
import { type Container, containersPath, readContainer, readIdentity } from "../workload.ts";
import { portsInUse, ServiceSlice } from "./lead-gateway.ts";
import type { Leadership } from "./leadership.ts";
import { ContainerListener, type ListenerOptions } from "./listen-for-client.ts";

export interface ActivatorOptions extends Omit<ListenerOptions, "onArrival"> {
  /** This pod's own address, which the gateway is given. */
  readonly address: string;
  /** Whose containers are answered for, as `namespace/name`. */
  readonly gateway: string;
  /** Undefined for an activator that is alone. */
  readonly leadership?: Leadership | undefined;
  /** For how long it goes on once it is told to stop, so that the next one's slices reach the gateway, in milliseconds. */
  readonly handOverMs?: number;
  /** After so long it is ready also without those that cannot be answered for, in milliseconds. */
  readonly settleWithinMs?: number;
}

/** What stands in for one container. Its port stays open after the wake: connections to it may still be on their way. */
interface StandIn {
  readonly slice: ServiceSlice;
  readonly listener: ContainerListener;
  readonly port: Promise<number>;
  /** Its Service was given back, although it sleeps: its settings could not be read. */
  isGivenBack: boolean;
}

export class Activator {
  readonly #options: ActivatorOptions;
  readonly #problems: Problems;
  readonly #standIns = new Map<string, StandIn>();
  /** The ports that slices named before this program started, by container. */
  #formerPorts = new Map<string, number>();
  #ready = false;
  #leads: boolean;

  constructor(options: ActivatorOptions) {
    this.#options = { ...options, api: byTurns(options.api) };
    this.#problems = new Problems(options.log, options.metrics, "drawbridge_idle_problems_total");
    this.#leads = options.leadership === undefined;
  }

  /** Whether every sleeping container is answered for, or the time for that is over. */
  get ready(): boolean {
    return this.#ready;
  }

  get connections(): number {
    return [...this.#standIns.values()].reduce((sum, { listener }) => sum + listener.connections, 0);
  }

  /** Answers until the signal, and then for as long as the gateway may still lead here. */
  async run(signal: AbortSignal): Promise<void> {
    const { leadership, handOverMs = 20_000 } = this.#options;
    if (leadership === undefined) await this.#keepFollowing(signal);
    else {
      const over = new AbortController();
      const following = this.#keepFollowing(over.signal);
      await leadership.run(signal, (leads) => {
        this.#leads = leads;
        if (leads) for (const { slice } of this.#standIns.values()) void slice.again();
      });
      this.#leads = false;
      await sleep(handOverMs);
      over.abort();
      await following;
    }
    for (const { listener } of this.#standIns.values()) listener.close();
  }

  /** Follows the cluster until the signal, whatever becomes of the API server in between. */
  async #keepFollowing(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
      } catch (error) {
        if (!signal.aborted) log({ outcome: "problem", reason: (error as Error).message });
      }
      if (!signal.aborted) await sleep(1000);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { api } = this.#options;
    // Connections to the ports of before a restart may be on their way.
    if (!this.#ready) this.#formerPorts = await portsInUse(api, this.#problems);
    const there = new Set<string>();
    const seen: Promise<void>[] = [];
    let from = "";
    for await (const { items, resourceVersion } of pages(api, containersPath)) {
      for (const item of items) {
        const identity = this.#identify(item);
        if (identity === undefined) continue;
        there.add(keyOf(identity));
        seen.push(this.#see(identity, item, true));
      }
      from = resourceVersion;
    }
    for (const key of this.#standIns.keys()) if (!there.has(key)) this.#forget(key);
    // A namespace may take no slice, for as long as it likes; meanwhile others' containers come, go, sleep and wake.
    const enough = sleep(this.#options.settleWithinMs ?? 10_000, undefined, { ref: false });
    void Promise.race([Promise.all(seen), enough]).then(() => {
      this.#ready = true;
    });
    const path = `${containersPath}&watch=1&resourceVersion=${from}`;
    for await (const { type, object } of api.watch(path, signal)) {
      if (type === "ERROR") return;
      const identity = this.#identify(object);
      if (identity === undefined) continue;
      if (type === "DELETED") this.#forget(keyOf(identity));
      else void this.#see(identity, object, false);
    }
  }

  #identify(object: unknown): Identity | undefined {
    return this.#problems.attempt("a StatefulSet", () => readIdentity(object));
  }

  /** Logs a fault of one container, which must not stop the others. */
  async #see(identity: Identity, object: unknown, mayHaveMissed: boolean): Promise<void> {
    const key = keyOf(identity);
    try {
      const container = readContainer(object, this.#options.gateway);
      if (container === undefined) await this.#giveBack(identity);
      else await this.#take(container, mayHaveMissed);
      this.#problems.solved(key);
    } catch (error) {
      this.#problems.tell(key, error);
      if (error instanceof Unreadable) await this.#giveBack(identity);
      else this.#forget(key);
    }
  }

  /** For a container that may no longer sleep. A slice that is not from here may be another gateway's, and stays. */
  async #giveBack(identity: Identity): Promise<void> {
    const key = keyOf(identity);
    const standIn = this.#standIns.get(key);
    if (standIn === undefined) return;
    standIn.isGivenBack = true;
    const isDone = await standIn.slice.toContainer(identity);
    if (isDone && standIn.isGivenBack) this.#forget(key);
  }

  /** @param mayHaveMissed after a list: changes may have gone unseen, so the slice is written in any case */
  async #take(container: Container, mayHaveMissed: boolean): Promise<void> {
    const key = keyOf(container);
    const known = this.#standIns.get(key);
    if (known === undefined && !container.asleep) {
      // From before a restart: it wakes, or woke without us.
      if (this.#formerPorts.has(key)) this.#answerFor(container).listener.expect();
      return;
    }
    const isAnsweredFor = known?.listener.container.asleep === true && !known.isGivenBack;
    if (known !== undefined) known.isGivenBack = false;
    known?.listener.update(container);
    if (!container.asleep || (isAnsweredFor && !mayHaveMissed)) return;
    const standIn = known ?? this.#answerFor(container);
    const port = await standIn.port;
    // It may have woken while the port was opened.
    if (!standIn.listener.container.asleep || standIn.isGivenBack) return;
    await standIn.slice.toActivator(container, { address: this.#options.address, port });
  }

  #answerFor(container: Container): StandIn {
    const slice = new ServiceSlice(this.#options.api, this.#problems, () => this.#leads);
    const listener = new ContainerListener(container, {
      ...this.#options,
      onArrival: async (arrived) => {
        await slice.toContainer(arrived);
      },
    });
    const key = keyOf(container);
    const port = listener.listen(this.#formerPorts.get(key) ?? 0).catch(() => listener.listen(0));
    const standIn = { slice, listener, port, isGivenBack: false };
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
