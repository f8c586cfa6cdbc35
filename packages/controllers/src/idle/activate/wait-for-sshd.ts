/**
 * Waits until a container's sshd answers at the address in its pod's status. The Service's name will not do: DNS remembers for
 * seconds that it had no address.
 */

import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  eventsPath,
  type Fault,
  refusedPod,
  startFault,
} from "@drawbridge-iac/drawbridge/src/dev-container/phase";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import type { Kubernetes } from "../../api-server.ts";
import { type Container, type Pod, podPath, readEvents, readPod } from "../workload.ts";

/** A pod that is allowed is made at once, so the reason why there is none is read this early, and this often. */
const askWhyEveryMs = 2000;

const unsure = (message: string): Fault => ({ reason: "Unknown", message, failing: false });

export class Arrival {
  /** What is known of the pod so far. */
  #pod: Pod | undefined;
  /** What is known where no pod is. */
  #absence: Fault | undefined;
  /** Its address, once sshd has answered there. */
  readonly address: Promise<string>;

  constructor(api: Kubernetes, container: Container, signal: AbortSignal) {
    this.address = this.#wait(api, container, signal);
    // Each client gives up after a time of its own, so when this fails nobody may be waiting.
    this.address.catch(() => {});
  }

  /** Why it does not start; undefined if nothing is known to be wrong. */
  get fault(): Fault | undefined {
    if (this.#pod === undefined) return this.#absence;
    const isGoing = this.#pod.metadata?.deletionTimestamp !== undefined;
    return isGoing ? unsure("the pod from before has not ended yet") : startFault(this.#pod);
  }

  /** A pod that has ended, or is about to, keeps its address in its status while others are given it. */
  get #address(): string | undefined {
    const { metadata, status } = this.#pod ?? {};
    const isOver =
      metadata?.deletionTimestamp !== undefined || /^(Failed|Succeeded)$/.test(status?.phase ?? "");
    return isOver ? undefined : status?.podIP;
  }

  async #wait(api: Kubernetes, container: Container, signal: AbortSignal): Promise<string> {
    const watching = new AbortController();
    const stop = AbortSignal.any([signal, watching.signal]);
    void this.#follow(api, container, stop);
    void this.#askWhy(api, container, stop);
    try {
      return await greeted({ port: container.settings.port, address: () => this.#address }, signal);
    } finally {
      watching.abort();
    }
  }

  #see(object: unknown): void {
    try {
      this.#pod = readPod(object);
      this.#absence = undefined;
    } catch (error) {
      this.#pod = undefined;
      this.#absence = unsure(`its pod cannot be read: ${(error as Error).message}`);
    }
  }

  /** While there is no pod, its StatefulSet's Events say why. */
  async #askWhy(api: Kubernetes, { namespace, name }: Container, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(askWhyEveryMs, undefined, { signal }).catch(() => {});
      if (signal.aborted || this.#pod !== undefined) continue;
      const found = await api
        .get(eventsPath(namespace, name))
        .then((answer) => refusedPod(readEvents(answer)))
        .catch(unreadable);
      if (this.#pod === undefined) this.#absence = found ?? this.#absence;
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

/** The fault if even the reason cannot be read. */
function unreadable(error: unknown): Fault {
  return error instanceof ApiError && error.status === 403
    ? unsure("there is no pod yet, and its stack does not let the activator read why: run pulumi up")
    : unsure(`there is no pod yet, and why cannot be read: ${error instanceof Error ? error.message : "?"}`);
}

const dialEveryMs = 50;
/** A pod that has not answered so often is dialled more seldom: there may be a thousand of them. */
const manyDials = 200;
const dialSeldomMs = 500;
const dialTimeoutMs = 1000;

interface Target {
  readonly port: number;
  /** Where to dial now; undefined while nobody knows. */
  address(): string | undefined;
  readonly dial?: (to: { readonly host: string; readonly port: number }) => Socket;
}

/**
 * The address at which sshd has greeted; rejects by the signal. A dial that hangs is not waited for: a network drops what
 * reaches a new pod before its rules are in place, and TCP tries again only after a second. Nothing more is dialled while a
 * connection stands, since sshd counts those that come and go without a login.
 */
export async function greeted(
  { port, address, dial = connect }: Target,
  signal: AbortSignal,
): Promise<string> {
  const open = new Set<Socket>();
  let found: string | undefined;
  let dials = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const start = (host: string) => {
    const socket = dial({ host, port });
    open.add(socket);
    socket.setTimeout(dialTimeoutMs, () => socket.destroy());
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.once("data", (bytes) => {
      socket.destroy();
      if (!bytes.toString("latin1").startsWith("SSH-")) return;
      found ??= host;
      answer();
    });
  };
  try {
    while (found === undefined) {
      signal.throwIfAborted();
      const host = address();
      const stands = [...open].some(({ connecting }) => !connecting);
      if (host !== undefined && !stands) {
        dials += 1;
        start(host);
      }
      await Promise.race([answered, sleep(dials < manyDials ? dialEveryMs : dialSeldomMs)]);
    }
    return found;
  } finally {
    for (const socket of open) socket.destroy();
  }
}
