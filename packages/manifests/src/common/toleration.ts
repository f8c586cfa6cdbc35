/** Taints of nodes that do not keep a pod away. */
import { z } from "zod";
import { compact } from "./manifest.ts";
import { oneOf, strict } from "./schema.ts";
import { labelValue, qualifiedName } from "./shapes.ts";

/** What a node's taint does to pods that do not tolerate it. */
export const TaintEffect = {
  noSchedule: "NoSchedule",
  preferNoSchedule: "PreferNoSchedule",
  noExecute: "NoExecute",
} as const;
export type TaintEffect = (typeof TaintEffect)[keyof typeof TaintEffect];

const tolerationSchema = strict({
  key: qualifiedName,
  value: labelValue.optional(),
  effect: oneOf(TaintEffect).optional(),
});

export const tolerationsSchema = z.array(tolerationSchema).default([]);

/** The pod's field; undefined where nothing is tolerated. */
export function tolerationList(tolerations: readonly z.output<typeof tolerationSchema>[]) {
  if (tolerations.length === 0) return undefined;
  return tolerations.map(({ key, value, effect }) =>
    compact({ key, operator: value === undefined ? "Exists" : "Equal", value, effect }),
  );
}
