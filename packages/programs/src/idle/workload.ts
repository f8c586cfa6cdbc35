/** The parts of a container's objects that are looked at. */
import type { Kubernetes } from "../kubernetes.ts";
import { type IdleSettings, idleSettingsAnnotation } from "../made/contract.ts";
import type { PodReport } from "../made/phase.ts";
import { parseSettings } from "./settings.ts";

export interface StatefulSet {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly operation: string; readonly time?: string }[];
  };
  readonly spec: { readonly replicas?: number };
}

export interface Pod extends PodReport {
  readonly status?: NonNullable<PodReport["status"]> & { readonly podIP?: string };
}

/** A container that may sleep. */
export interface Container {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly settings: IdleSettings;
  readonly asleep: boolean;
  /** When its stack last changed it, in milliseconds; undefined if its object does not say. */
  readonly changedAt: number | undefined;
}

export const containersPath =
  "/apis/apps/v1/statefulsets?labelSelector=app.kubernetes.io%2Fcomponent%3Ddev-container";

export const keyOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }) =>
  `${namespace}/${name}`;

/** Undefined for a StatefulSet that never sleeps, whose annotation nobody can read, or that another gateway sees to. */
export function containerOf({ metadata, spec }: StatefulSet, gateway: string): Container | undefined {
  const settings = parseSettings(metadata.annotations?.[idleSettingsAnnotation]);
  if (settings === undefined || settings.gateway !== gateway) return undefined;
  // Pulumi applies; whoever scales, and the control plane, update.
  const applied = (metadata.managedFields ?? []).flatMap(({ operation, time }) =>
    operation === "Apply" && time !== undefined ? [Date.parse(time)] : [],
  );
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
    settings,
    asleep: (spec.replicas ?? 1) === 0,
    changedAt: applied.length === 0 ? undefined : Math.max(...applied),
  };
}

/** Changes the number of pods, if it is what it was; a conflict tells that somebody else was faster. */
export function scale(
  api: Kubernetes,
  { namespace, name }: { readonly namespace: string; readonly name: string },
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

export const podPath = ({ namespace, name }: { readonly namespace: string; readonly name: string }) =>
  `/api/v1/namespaces/${namespace}/pods/${name}-0`;
