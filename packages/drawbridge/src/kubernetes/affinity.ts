import { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { type Input, type InputList, known, knownList } from "../kit/input.ts";
import { across, input, inputList, oneOf, type RaiseFault } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { dnsLabel, labelMap, labelValue, qualifiedName } from "./shapes.ts";

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

const values = inputList(labelValue).optional();
const labels = labelMap.optional();
const weight = input(whole(1, 100, "points"));

interface Expression {
  readonly operator?: Input<string> | undefined;
  readonly values?: InputList<string> | undefined;
}

/** The API server refuses an operator with other values than it compares. */
function checkExpression(given: Expression, fault: RaiseFault): void {
  const [operator, list] = [known(given.operator), knownList(given.values ?? [])];
  if (operator === undefined || list === undefined) return;
  const isNumber = operator === "Gt" || operator === "Lt";
  if (isNumber && (list.length !== 1 || !/^\d+$/.test(list[0] ?? "")))
    fault`values: must be one whole number with operator "${operator}", like ["8"]`;
  else if (/^(Not)?In$/.test(operator) && list.length === 0)
    fault`values: has no value, with which operator "${operator}" compares; list them`;
  else if (/Exist/.test(operator) && list.length > 0)
    fault`values: is beside operator "${operator}", which looks at no value; remove one of the two`;
}

/** Pods or namespaces, by their labels. */
export const labelSelectorSchema = group(
  "LabelSelectorArgs",
  "Pods or namespaces, by their labels; all of it has to hold.",
  {
    matchLabels: arg(labels, "Labels with these values.", { example: '{ app: "trainer" }' }),
    matchExpressions: arg(
      z
        .array(
          across(
            group("LabelExpressionArgs", "What one label has to be.", {
              key: arg(input(qualifiedName), "The label."),
              operator: arg(input(oneOf(LabelOperator)), "How it is compared."),
              values: arg(values, "What it is compared with.", {
                default: "- none, as `Exists` and `DoesNotExist` want it",
              }),
            }),
            checkExpression,
          ),
        )
        .optional(),
      "Labels compared in other ways.",
    ),
  },
);

const nodeTerm = group("NodeSelectorTermArgs", "Nodes that meet all of its expressions.", {
  matchExpressions: arg(
    z
      .array(
        across(
          group("NodeExpressionArgs", "What one label of a node has to be.", {
            key: arg(input(qualifiedName), "The label.", { example: '"topology.kubernetes.io/zone"' }),
            operator: arg(input(oneOf(NodeOperator)), "How it is compared."),
            values: arg(values, "What it is compared with; one whole number for `Gt` and `Lt`.", {
              default: "- none, as `Exists` and `DoesNotExist` want it",
            }),
          }),
          checkExpression,
        ),
      )
      .min(1),
    "What the node's labels have to be.",
  ),
});

const podTerm = group("PodAffinityTermArgs", "Pods in the same place.", {
  labelSelector: arg(labelSelectorSchema.optional(), "Which pods."),
  namespaces: arg(inputList(dnsLabel).optional(), "The namespaces they are in.", {
    default: "- the pod's own",
  }),
  namespaceSelector: arg(labelSelectorSchema.optional(), "The same by the namespaces' labels."),
  topologyKey: arg(input(qualifiedName), "The node's label whose values are the places.", {
    example: '"kubernetes.io/hostname"',
  }),
});

const podTerms = group("PodAffinityArgs", "Other pods, by their labels.", {
  requiredDuringSchedulingIgnoredDuringExecution: arg(z.array(podTerm).optional(), "What must hold."),
  preferredDuringSchedulingIgnoredDuringExecution: arg(
    z
      .array(
        group("WeightedPodAffinityTermArgs", "A term that speaks for a place.", {
          weight: arg(weight, "How much it speaks for it, from 1 to 100."),
          podAffinityTerm: arg(podTerm, "What should hold there."),
        }),
      )
      .optional(),
    "What should hold.",
  ),
}).optional();

export const affinitySchema = group(
  "AffinityArgs",
  "What pods want near them, and what not, as in a pod's specification.",
  {
    nodeAffinity: arg(
      group("NodeAffinityArgs", "Nodes that the pods must have, or would rather have.", {
        requiredDuringSchedulingIgnoredDuringExecution: arg(
          group("NodeSelectorArgs", "Nodes to which one of several terms applies.", {
            nodeSelectorTerms: arg(z.array(nodeTerm).min(1), "A node that meets any one of them will do.", {
              example:
                '[{ matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["a", "b"] ' +
                "}] }]",
            }),
          }).optional(),
          "What a node must have.",
        ),
        preferredDuringSchedulingIgnoredDuringExecution: arg(
          z
            .array(
              group("PreferredNodeArgs", "A term that speaks for a node.", {
                weight: arg(weight, "How much it speaks for it, from 1 to 100."),
                preference: arg(nodeTerm, "What the node should have."),
              }),
            )
            .optional(),
          "What a node should have.",
        ),
      }).optional(),
      "Nodes, by their labels: several zones, for example.",
    ),
    podAffinity: arg(podTerms, "Pods to be near to."),
    podAntiAffinity: arg(podTerms, "Pods to keep away from."),
  },
);
