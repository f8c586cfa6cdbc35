/** One sleeping container's port: holds who comes until sshd answers, and wakes it for those who may. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  awakeLine,
  heldLine,
  waitGreeting,
  wakeGreeting,
} from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import { type Kubernetes, keyOf } from "../../api-server.ts";
import type { Log, Metrics } from "../../telemetry.ts";
import { type Container, scale } from "../workload.ts";
import { farewell, greetingOf, held, relay } from "./speak-to-client.ts";
import { Arrival } from "./wait-for-sshd.ts";
import { type Attempts, refusal, type WakeLimits } from "./wake-refusal.ts";

export interface ListenerOptions {
  readonly api: Kubernetes;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: WakeLimits & {
    /** Connections that one container may have waiting. */
    readonly heldPerContainer: number;
  };
  /** Called once each time that sshd answers after a sleep: removes the slice, so that the gateway dials the pod itself. */
  readonly onArrival: (container: Container) => Promise<void>;
}

/** Time allowed for the client's greeting. */
const greetingWithinMs = 10_000;
/** The most that a client may send before sshd answers. */
const mostKeptBytes = 64 * 1024;

export class ContainerListener {
  container: Container;
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #attempts: Attempts = { last: undefined, wakes: [] };
  readonly #open = new Set<Socket>();
  /** Those that have not said yet whether they speak SSH, the oldest first. */
  readonly #silent = new Set<Socket>();
  #waiting = 0;
  /** What the API server said to the last attempt to wake it. */
  #problem: string | undefined;
  #arrival:
    | { readonly sshd: Arrival; readonly cancel: AbortController; readonly givenBack: Promise<void> }
    | undefined;

  constructor(container: Container, options: ListenerOptions) {
    this.container = container;
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (socket) => {
      this.#open.add(socket);
      socket.once("close", () => {
        this.#open.delete(socket);
        this.#silent.delete(socket);
      });
      socket.on("error", () => socket.destroy());
      this.#receive(socket);
    });
    // More connections than this process may have open files are an error here, which must not end it for the others.
    this.#server.on("error", () => {});
  }

  get connections(): number {
    return this.#open.size;
  }

  /** @param port 0 for any free one; returns the one it is */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  /** No new connections; those that are open go on. */
  close(): void {
    this.#server.close();
  }

  /** For a container that is gone or may no longer sleep: stops looking for its sshd too. */
  abandon(): void {
    this.close();
    this.#arrival?.cancel.abort(new Error("it is gone, or may no longer sleep"));
  }

  /** Takes over what the cluster says of the container now. */
  update(container: Container): void {
    const { asleep } = this.container;
    this.container = container;
    if (!asleep && container.asleep) {
      this.#attempts.last = performance.now();
      this.#arrival?.cancel.abort(new Error("it was put to sleep again"));
      this.#arrival = undefined;
    }
    if (!asleep || container.asleep) return;
    // Woken by someone else, or by another pod of this activator: the Service has to be given back all the same.
    if (this.#arrival === undefined) {
      this.#attempts.wakes = [...this.#attempts.wakes, performance.now()];
      this.#arrive();
    }
  }

  /** For a container that wakes already: gives its Service back once it answers. */
  expect(): void {
    this.#arrive();
  }

  #receive(socket: Socket): void {
    let head = Buffer.alloc(0);
    this.#silent.add(socket);
    // An SSH client speaks at once. Many that stay silent must not keep it out.
    const [oldest] = this.#silent;
    if (this.#silent.size > this.#options.limits.heldPerContainer && oldest !== undefined) {
      this.#turnAway(oldest, "crowded out");
    }
    const timer = setTimeout(() => this.#turnAway(socket, "no greeting"), greetingWithinMs);
    const read = (bytes: Buffer) => {
      head = Buffer.concat([head, bytes]);
      const greeting = greetingOf(head);
      if (greeting === undefined) return;
      clearTimeout(timer);
      this.#silent.delete(socket);
      socket.off("data", read);
      if (greeting === false) this.#turnAway(socket, "not SSH");
      else this.#hold(socket, head, greeting).catch((error: Error) => this.#fail(socket, error));
    };
    socket.on("data", read);
    socket.once("end", () => {
      clearTimeout(timer);
      if (greetingOf(head) === undefined) socket.destroy();
    });
    socket.once("close", () => clearTimeout(timer));
  }

  /** Ends a connection of which nothing is known, without a word that could tell a scanner anything. */
  #turnAway(socket: Socket, reason: string): void {
    this.#options.metrics.count("drawbridge_idle_refusals_total", { reason });
    this.#silent.delete(socket);
    socket.destroy();
  }

  #fail(socket: Socket, { message: reason }: Error): void {
    this.#options.log({ container: keyOf(this.container), outcome: "problem", reason });
    socket.destroy();
  }

  async #hold(socket: Socket, head: Buffer, greeting: string): Promise<void> {
    const { log, metrics, limits } = this.#options;
    const said = { container: keyOf(this.container), client: greeting };
    const last = (words: string | Buffer) => {
      socket.end(words);
      setTimeout(() => socket.destroy(), 2000).unref();
    };
    const end = (reason: string) => {
      metrics.count("drawbridge_idle_refusals_total", { reason: "told" });
      log({ ...said, outcome: "refused", reason });
      last(farewell(`${this.container.name}: ${reason}`));
    };
    if (this.#waiting >= limits.heldPerContainer) {
      return end(`${limits.heldPerContainer} connections wait for it already`);
    }
    if (this.container.asleep && this.#arrival === undefined) {
      const reason = refusal(this.container.settings, greeting, this.#attempts, limits, performance.now());
      if (reason !== undefined) return end(reason);
      log({ ...said, outcome: "wake" });
      metrics.count("drawbridge_idle_wakes_total", {});
      this.#arrive();
      void this.#wake();
    }
    const begun = performance.now();
    const buffered = this.#keep(socket, head);
    socket.write(`${heldLine}\r\n`);
    this.#waiting += 1;
    const { sshd, givenBack } = this.#arrival ?? this.#arrive();
    const address = await held(socket, {
      name: this.container.name,
      arrival: sshd,
      seconds: this.container.settings.maxHold,
      // Once it is awake, whatever kept it from being woken is over, whether or not an answer said so.
      problem: () => (this.container.asleep ? this.#problem : undefined),
    });
    this.#waiting -= 1;
    if (socket.destroyed) {
      log({ ...said, outcome: "client gone" });
      return;
    }
    const waitedMs = Math.round(performance.now() - begun);
    if (typeof address !== "string") return end(address.fault);
    if (greeting === wakeGreeting || greeting === waitGreeting) {
      // This client connects again, and then reaches the container without the activator.
      await Promise.race([givenBack, sleep(2000)]);
      log({ ...said, outcome: "awake", waitedMs });
      return last(`${awakeLine}\r\n`);
    }
    log({ ...said, outcome: "joined", waitedMs });
    metrics.count("drawbridge_idle_joined_total", {});
    try {
      await relay(socket, buffered(), address, this.container.settings.port);
    } catch (error) {
      log({ ...said, outcome: "problem", reason: (error as Error).message });
    }
  }

  /** Reads on while the client waits, so that its end is seen; returns what has come. */
  #keep(socket: Socket, head: Buffer): () => Buffer {
    let kept = head;
    const read = (bytes: Buffer) => {
      kept = Buffer.concat([kept, bytes]);
      if (kept.length > mostKeptBytes) socket.destroy();
    };
    socket.on("data", read);
    const onEnd = () => socket.destroy();
    socket.once("end", onEnd);
    return () => {
      socket.pause();
      socket.off("data", read);
      socket.off("end", onEnd);
      return kept;
    };
  }

  /** Waits for sshd, once for all clients. */
  #arrive() {
    const { api, log, onArrival } = this.#options;
    if (this.#arrival !== undefined) return this.#arrival;
    const cancel = new AbortController();
    const { container } = this;
    const sshd = new Arrival(api, container, cancel.signal);
    const givenBack = sshd.address
      .then(() => {
        // Also if nobody tells of it: a sleep after it is a change then, and the next client wakes it again.
        if (this.#arrival?.sshd === sshd) this.container = { ...this.container, asleep: false };
        return onArrival(container);
      })
      .catch((error: Error) => {
        if (!cancel.signal.aborted)
          log({ container: keyOf(container), outcome: "problem", reason: error.message });
      });
    this.#arrival = { sshd, cancel, givenBack };
    return this.#arrival;
  }

  /** Asks again until the API server has taken it: it may be away for a minute. */
  async #wake(): Promise<void> {
    const arrival = this.#arrival;
    const begun = performance.now();
    while (this.#arrival === arrival && this.container.asleep) {
      try {
        await scale(this.#options.api, this.container, 0, 1);
        this.#problem = undefined;
        return;
      } catch (error) {
        const { message: reason } = error as Error;
        if (reason !== this.#problem)
          this.#options.log({ container: keyOf(this.container), outcome: "problem", reason });
        this.#problem = reason;
      }
      if (performance.now() - begun > this.container.settings.maxHold * 1000) break;
      await sleep(1000);
    }
    // Still asleep, with nobody waiting any more: the next one begins anew.
    if (this.#arrival === arrival && this.container.asleep) {
      arrival?.cancel.abort();
      this.#arrival = undefined;
    }
  }
}
