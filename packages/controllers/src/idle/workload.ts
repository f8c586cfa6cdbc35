/** The parts of a container's objects that are looked at, and the one write: `scale` wakes and stops it. */
import { isIP } from "node:net";
import { type IdleSettings, idleSettingsAnnotation } from "@drawbridge-iac/drawbridge/src/host/idle/contract";
import type { Identity, Kubernetes } from "../api-server.ts";
import { anything, list, maybe, objectName, record, text, time, whole, words } from "../read.ts";
import { parseSettings } from "./settings.ts";

/** A container that may sleep. */
export interface Container extends Identity {
  readonly uid: string;
  readonly settings: IdleSettings;
  readonly asleep: boolean;
  /** When its stack last changed it, in milliseconds; undefined if its object does not say. */
  readonly changedAt: number | undefined;
}

export const containersPath =
  "/apis/apps/v1/statefulsets?labelSelector=app.kubernetes.io%2Fcomponent%3Ddev-container";

const identified = record({ metadata: record({ namespace: objectName, name: objectName }) });

/** Whose object it is, whatever else may be wrong with it. */
export const readIdentity = (object: unknown): Identity => identified(object, "").metadata;

/** The annotation of any type: without one, nothing else of the object is read. */
const annotated = record({
  metadata: record({ annotations: maybe(record({ [idleSettingsAnnotation]: anything })) }),
});

const statefulSet = record({
  metadata: record({
    namespace: objectName,
    name: objectName,
    uid: text("an identity"),
    managedFields: maybe(list(record({ operation: text("an operation"), time: maybe(time) }), 1000)),
  }),
  spec: record({ replicas: maybe(whole(0, 2 ** 31 - 1)) }),
});

/** Undefined for a StatefulSet that never sleeps, or that another gateway sees to. */
export function readContainer(object: unknown, gateway: string): Container | undefined {
  const annotation = annotated(object, "").metadata.annotations?.[idleSettingsAnnotation];
  if (annotation === undefined) return undefined;
  const settings = parseSettings(annotation, `the annotation ${idleSettingsAnnotation}`);
  if (settings.gateway !== gateway) return undefined;
  const { metadata, spec } = statefulSet(object, "");
  // Pulumi applies; people who scale, and the control plane, update.
  const applied = (metadata.managedFields ?? []).flatMap((entry) =>
    entry.operation === "Apply" && entry.time !== undefined ? [entry.time] : [],
  );
  const { namespace, name, uid } = metadata;
  return {
    namespace,
    name,
    uid,
    settings,
    asleep: spec.replicas === 0,
    changedAt: applied.length === 0 ? undefined : Math.max(...applied),
  };
}

/** Changes the number of pods, if it is what it was; a conflict tells that someone else was faster. */
export function scale(
  api: Kubernetes,
  { namespace, name }: Identity,
  from: 0 | 1,
  to: 0 | 1,
): Promise<unknown> {
  const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/${name}/scale`;
  // A Scale leaves its zero out, which a "test" would take for another value.
  return from === 0
    ? api.send("PATCH", path, [{ op: "add", path: "/spec/replicas", value: to }])
    : api.send("PATCH", path, [
        { op: "test", path: "/spec/replicas", value: from },
        { op: "replace", path: "/spec/replicas", value: to },
      ]);
}

const containerReports = list(
  record({
    name: words,
    state: maybe(record({ waiting: maybe(record({ reason: maybe(words), message: maybe(words) })) })),
    lastState: maybe(record({ terminated: maybe(record({ reason: maybe(words) })) })),
  }),
  1000,
);
const podOf = record({
  metadata: maybe(record({ deletionTimestamp: maybe(words) })),
  status: maybe(
    record({
      phase: maybe(words),
      reason: maybe(words),
      message: maybe(words),
      podIP: maybe(text("an address", (value) => isIP(value) > 0)),
      conditions: maybe(
        list(record({ type: words, status: words, reason: maybe(words), message: maybe(words) }), 1000),
      ),
      initContainerStatuses: maybe(containerReports),
      containerStatuses: maybe(containerReports),
    }),
  ),
});
export type Pod = ReturnType<typeof podOf>;
export const readPod = (object: unknown): Pod => podOf(object, "");

const eventList = record({
  items: list(record({ reason: maybe(words), message: maybe(words), lastTimestamp: maybe(words) }), 500),
});
export const readEvents = (object: unknown) => eventList(object, "").items;

export const podPath = ({ namespace, name }: Identity) => `/api/v1/namespaces/${namespace}/pods/${name}-0`;
