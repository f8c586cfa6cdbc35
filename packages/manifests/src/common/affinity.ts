/** What pods want near them, in the words of a pod's specification. */
import { z } from "zod";
import { oneOf, strict } from "./schema.ts";
import { dnsLabel, labelValue, qualifiedName, whole } from "./shapes.ts";

/** How a label of a pod or namespace is compared. */
export const LabelOperator = {
  in: "In",
  notIn: "NotIn",
  exists: "Exists",
  doesNotExist: "DoesNotExist",
} as const;
export type LabelOperator = (typeof LabelOperator)[keyof typeof LabelOperator];

/** How a node's label is compared. */
export const NodeOperator = {
  // In full: Pulumi's analyzer, of which the SDKs of other languages are made, sees nothing behind a spread.
  in: "In",
  notIn: "NotIn",
  exists: "Exists",
  doesNotExist: "DoesNotExist",
  gt: "Gt",
  lt: "Lt",
} as const;
export type NodeOperator = (typeof NodeOperator)[keyof typeof NodeOperator];

const values = z.array(labelValue).optional();
const labels = z.record(qualifiedName, labelValue).optional();
const weight = whole(1, 100, "points");

/** Pods or namespaces, by their labels. */
export const labelSelectorSchema = strict({
  matchLabels: labels,
  matchExpressions: z
    .array(strict({ key: qualifiedName, operator: oneOf(LabelOperator), values }))
    .optional(),
});

const nodeTerm = strict({
  matchExpressions: z.array(strict({ key: qualifiedName, operator: oneOf(NodeOperator), values })).min(1),
});

const podTerm = strict({
  labelSelector: labelSelectorSchema.optional(),
  namespaces: z.array(dnsLabel).optional(),
  namespaceSelector: labelSelectorSchema.optional(),
  topologyKey: qualifiedName,
});

const podTerms = strict({
  requiredDuringSchedulingIgnoredDuringExecution: z.array(podTerm).optional(),
  preferredDuringSchedulingIgnoredDuringExecution: z
    .array(strict({ weight, podAffinityTerm: podTerm }))
    .optional(),
}).optional();

export const affinitySchema = strict({
  nodeAffinity: strict({
    requiredDuringSchedulingIgnoredDuringExecution: strict({
      nodeSelectorTerms: z.array(nodeTerm).min(1),
    }).optional(),
    preferredDuringSchedulingIgnoredDuringExecution: z
      .array(strict({ weight, preference: nodeTerm }))
      .optional(),
  }).optional(),
  podAffinity: podTerms,
  podAntiAffinity: podTerms,
});
