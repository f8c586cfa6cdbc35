/** One Kubernetes Event per container: how it is now, since when and why. */

import type { ContainerPhase } from "@drawbridge-iac/drawbridge/src/dev-container/phase";
import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { type Kubernetes, keyOf } from "../../api-server.ts";
import { remember } from "../../fairness.ts";
import { maybe, record, Unreadable, words } from "../../read.ts";
import type { Container } from "../workload.ts";

/** The API server forgets an Event an hour after it was last written. */
const renewAfterMs = 30 * 60_000;

const component = "drawbridge-culler";
const eventName = (container: string) => `${container}.${component}`;

/** Annotation of an Event: states of one kind are the same, whatever their figures. */
const kindAnnotation = "drawbridge.dev/kind";

/** A container's state as the culler reports it. */
type State = Extract<ContainerPhase, "Off" | "Asleep"> | "Awake" | "WouldSleep";

/** As Kubernetes writes times. */
const wholeSeconds = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, "Z");

const readEvent = record({
  metadata: record({ annotations: maybe(record({ [kindAnnotation]: maybe(words) })) }),
  reason: maybe(words),
});

export class Events {
  readonly #api: Kubernetes;
  readonly #written = new Map<string, { readonly said: string; readonly at: number }>();

  constructor(api: Kubernetes) {
    this.#api = api;
  }

  /**
   * Says a new state with its figures, and an old one again before it is forgotten.
   * Returns whether it is new.
   * @param message undefined to keep that of the same state, if there is one
   */
  async write(container: Container, state: State, kind: string, message?: string): Promise<boolean> {
    const { namespace, name, uid } = container;
    const key = keyOf(container);
    const said = `${state} ${kind}`;
    const now = Date.now();
    const own = this.#written.get(key);
    // Another culler may have written this state since, with a better reason.
    const last = own?.said === said ? own : await this.#stored(namespace, name);
    const isSame = last?.said === said;
    if (isSame && now - last.at < renewAfterMs) return false;
    const time = wholeSeconds(now);
    await this.#store(namespace, name, last === undefined, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: eventName(name), namespace, annotations: { [kindAnnotation]: kind } },
      involvedObject: { apiVersion: "apps/v1", kind: "StatefulSet", namespace, name, uid },
      type: "Normal",
      source: { component },
      count: 1,
      reason: state,
      ...(isSame && message === undefined ? {} : { message: (message ?? state).slice(0, 1000) }),
      ...(isSame ? {} : { firstTimestamp: time }),
      lastTimestamp: time,
    });
    remember(this.#written, key, { said, at: now });
    return !isSame;
  }

  async #stored(namespace: string, name: string) {
    const path = `/api/v1/namespaces/${namespace}/events/${eventName(name)}`;
    try {
      const { reason, metadata } = readEvent(await this.#api.get(path), "its Event");
      // Of unknown age, so it is written again at once.
      return { said: `${reason} ${metadata.annotations?.[kindAnnotation]}`, at: 0 };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      // It is written over, whatever wrote it.
      if (error instanceof Unreadable) return { said: undefined, at: 0 };
      throw error;
    }
  }

  async #store(namespace: string, name: string, isNew: boolean, event: object): Promise<void> {
    const path = `/api/v1/namespaces/${namespace}/events`;
    if (isNew) {
      await this.#api.send("POST", path, event);
      return;
    }
    try {
      await this.#api.send("PATCH", `${path}/${eventName(name)}`, event);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      await this.#api.send("POST", path, {
        firstTimestamp: wholeSeconds(Date.now()),
        ...event,
      });
    }
  }
}
