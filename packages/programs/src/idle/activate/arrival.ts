/**
 * Waits until a container's sshd answers at the address in its pod's status. The Service's name will not do: DNS remembers for
 * seconds that it had no address.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Kubernetes } from "../../kubernetes.ts";
import { startFault } from "../../made/phase.ts";
import { type Container, type Pod, podPath, readPod } from "../workload.ts";
import { greeted } from "./dial.ts";

export class Arrival {
  /** What is known of the pod so far. */
  #pod: Pod | undefined;
  #unreadable: string | undefined;
  /** Its address, once sshd has answered there. */
  readonly address: Promise<string>;

  constructor(api: Kubernetes, container: Container, signal: AbortSignal) {
    this.address = this.#wait(api, container, signal);
    // Whoever waits gives up by their own clock; nobody may be waiting when it ends.
    this.address.catch(() => {});
  }

  /** Why it does not start; undefined if nothing is known to be wrong. */
  get fault(): string | undefined {
    return this.#pod === undefined ? this.#unreadable : startFault(this.#pod)?.message;
  }

  async #wait(api: Kubernetes, container: Container, signal: AbortSignal): Promise<string> {
    const watching = new AbortController();
    const stop = AbortSignal.any([signal, watching.signal]);
    void this.#follow(api, container, stop);
    try {
      const address = () =>
        this.#pod?.metadata?.deletionTimestamp === undefined ? this.#pod?.status?.podIP : undefined;
      return await greeted({ port: container.settings.port, address }, signal);
    } finally {
      watching.abort();
    }
  }

  #see(object: unknown): void {
    try {
      this.#pod = readPod(object);
      this.#unreadable = undefined;
    } catch (error) {
      this.#pod = undefined;
      this.#unreadable = `its pod cannot be read: ${(error as Error).message}`;
    }
  }

  /** Keeps the pod as it is now, whatever becomes of the API server. */
  async #follow(api: Kubernetes, { namespace, name }: Container, signal: AbortSignal): Promise<void> {
    const path = `/api/v1/namespaces/${namespace}/pods?watch=1&fieldSelector=metadata.name%3D${name}-0`;
    for (let pause = 500; !signal.aborted; pause = Math.min(2000, 2 * pause)) {
      try {
        this.#see(await api.get(podPath({ namespace, name })));
      } catch {
        this.#pod = undefined;
      }
      try {
        for await (const { type, object } of api.watch(path, signal)) {
          if (type === "DELETED") this.#pod = undefined;
          else if (type !== "ERROR") this.#see(object);
        }
      } catch {
        // Asked again below.
      }
      if (!signal.aborted) await sleep(pause);
    }
  }
}

/** Joins a client to sshd, half-closed ends included. */
export function relay(client: Socket, head: Buffer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const upstream = connect({ host, port, allowHalfOpen: true, noDelay: true });
    upstream.setKeepAlive(true, 60_000);
    upstream.once("connect", () => {
      upstream.write(head);
      client.pipe(upstream);
      upstream.pipe(client);
      client.resume();
    });
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    upstream.once("error", (error) => {
      reject(error);
      end();
    });
    client.once("error", end);
    client.once("close", end);
    upstream.once("close", () => {
      end();
      resolve();
    });
  });
}
