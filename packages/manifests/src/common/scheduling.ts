/** Which nodes pods run on: one group of arguments for all components, and the pod's fields that come of it. */
import { z } from "zod";
import { affinitySchema, labelSelectorSchema } from "./affinity.ts";
import { compact, ifAny } from "./manifest.ts";
import { oneOf, placed, strict } from "./schema.ts";
import { labelValue, objectName, qualifiedName, whole } from "./shapes.ts";

/** What a node's taint does to pods that do not tolerate it. */
export const TaintEffect = {
  noSchedule: "NoSchedule",
  preferNoSchedule: "PreferNoSchedule",
  noExecute: "NoExecute",
} as const;
export type TaintEffect = (typeof TaintEffect)[keyof typeof TaintEffect];

/** What becomes of a pod that would make the spread too uneven. */
export const UnsatisfiableSpread = {
  doNotSchedule: "DoNotSchedule",
  scheduleAnyway: "ScheduleAnyway",
} as const;
export type UnsatisfiableSpread = (typeof UnsatisfiableSpread)[keyof typeof UnsatisfiableSpread];

const tolerationSchema = strict({
  key: qualifiedName,
  value: labelValue.optional(),
  effect: oneOf(TaintEffect).optional(),
});

export const schedulingSchema = strict({
  nodeSelector: z.record(qualifiedName, labelValue).default({}),
  tolerations: z.array(tolerationSchema).default([]),
  affinity: affinitySchema.optional(),
  topologySpreadConstraints: z
    .array(
      strict({
        maxSkew: whole(1, 10_000, "pods").default(1),
        topologyKey: qualifiedName,
        whenUnsatisfiable: oneOf(UnsatisfiableSpread).default("ScheduleAnyway"),
        labelSelector: labelSelectorSchema.optional(),
      }),
    )
    .optional(),
  priorityClassName: placed(objectName).optional(),
  runtimeClassName: placed(objectName).optional(),
}).prefault({});

export type SchedulingParsed = z.output<typeof schedulingSchema>;

/** What a component says of its pods' nodes besides its caller. */
export interface OwnScheduling {
  /** Labels of the pods, which a spread counts unless it says which. */
  readonly selector: Readonly<Record<string, string>>;
  /** Whether the pods keep apart from each other where that is possible, unless the caller says how. */
  readonly apart?: boolean;
  readonly nodeSelector?: Readonly<Record<string, unknown>>;
  readonly podAffinity?:
    | { readonly requiredDuringSchedulingIgnoredDuringExecution: readonly object[] }
    | undefined;
}

/** The pod's fields that choose its node. */
export function podScheduling(scheduling: SchedulingParsed, own: OwnScheduling): Record<string, unknown> {
  const spreads = scheduling.topologySpreadConstraints ?? (own.apart === true ? [apart] : []);
  const ownLabels = { matchLabels: own.selector };
  return compact({
    nodeSelector: ifAny({ ...scheduling.nodeSelector, ...own.nodeSelector }),
    tolerations: ifAny(
      scheduling.tolerations.map(({ key, value, effect }) =>
        compact({ key, operator: value === undefined ? "Exists" : "Equal", value, effect }),
      ),
    ),
    affinity: affinity(scheduling.affinity, own.podAffinity),
    topologySpreadConstraints: ifAny(
      spreads.map((spread) => ({ labelSelector: ownLabels, ...compact(spread) })),
    ),
    priorityClassName: scheduling.priorityClassName,
    runtimeClassName: scheduling.runtimeClassName,
  });
}

const apart = {
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: UnsatisfiableSpread.scheduleAnyway,
};

/** What the caller asks for together with what the component must have. */
function affinity(given: SchedulingParsed["affinity"], podAffinity: OwnScheduling["podAffinity"]) {
  const pods = given?.podAffinity;
  const required = [
    ...(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(pods?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ];
  const joined = compact({ ...pods, requiredDuringSchedulingIgnoredDuringExecution: ifAny(required) });
  return ifAny(compact({ ...given, podAffinity: ifAny(joined) }));
}
