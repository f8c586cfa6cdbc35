/** Which nodes pods run on: one group of arguments for all components, and the pod's fields that come of it. */
import { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { type Input, isDeferred, known, knownWhereEqual, whenKnown } from "../kit/input.ts";
import { across, input, oneOf } from "../kit/schema.ts";
import { whole } from "../kit/shapes.ts";
import { affinitySchema, labelSelectorSchema } from "./affinity.ts";
import type { Affinity, PodSpec } from "./kinds.ts";
import { compact, ifAny } from "./manifest.ts";
import { passedOn } from "./passed-on.ts";
import { labelMap, labelValue, objectName, qualifiedName } from "./shapes.ts";

/** What a node's taint does to pods that do not tolerate it. */
export const TaintEffect = {
  noSchedule: "NoSchedule",
  preferNoSchedule: "PreferNoSchedule",
  noExecute: "NoExecute",
} as const;
export type TaintEffect = (typeof TaintEffect)[keyof typeof TaintEffect];

/** How a toleration compares a taint. */
export const TolerationOperator = { exists: "Exists", equal: "Equal" } as const;
export type TolerationOperator = (typeof TolerationOperator)[keyof typeof TolerationOperator];

/** What becomes of a pod that would make the spread too uneven. */
export const UnsatisfiableSpread = {
  doNotSchedule: "DoNotSchedule",
  scheduleAnyway: "ScheduleAnyway",
} as const;
export type UnsatisfiableSpread = (typeof UnsatisfiableSpread)[keyof typeof UnsatisfiableSpread];

const tolerationFields = group(
  "TolerationArgs",
  "A node's taint that does not keep pods away, as in a pod.",
  {
    key: arg(input(qualifiedName).optional(), "The taint's key.", {
      default: "- every taint, with `Exists`",
    }),
    operator: arg(input(oneOf(TolerationOperator)).optional(), "`Exists` for every value, `Equal` for one.", {
      default: '"Equal"',
    }),
    value: arg(input(labelValue).optional(), "The taint's value, with `Equal`.", {
      default: "- the empty one",
    }),
    effect: arg(input(oneOf(TaintEffect)).optional(), "The taint's effect.", { default: "- any" }),
    tolerationSeconds: arg(
      input(whole(0, 2_147_483_647, "seconds")).optional(),
      "Seconds for which a pod stays on a node that gets the taint, with `NoExecute`.",
      { default: "- for ever" },
    ),
  },
);

const tolerationSchema = across(tolerationFields, (given, fault, { isGiven }) => {
  const [operator, effect] = [known(given.operator), known(given.effect)];
  if (!isGiven("key") && operator !== "Exists" && !isDeferred(given.operator))
    fault`operator: is "Equal" by default, which needs a key; set key, or operator: "Exists" for every taint`;
  if (isGiven("value") && operator === "Exists")
    fault`value: is beside operator "Exists", which looks at no value; remove one of the two`;
  if (isGiven("tolerationSeconds") && effect !== "NoExecute" && !isDeferred(given.effect))
    fault`tolerationSeconds: needs effect: "NoExecute"; set it, or leave the seconds out`;
});

const fields = group("SchedulingArgs", "Which nodes pods run on, in the words of a pod's specification.", {
  nodeSelector: arg(labelMap.default({}), "Labels the node must have.", {
    example: '{ "topology.kubernetes.io/zone": "eu-central-1a" }',
  }),
  tolerations: arg(z.array(tolerationSchema).default([]), "Taints that do not keep the pods away."),
  affinity: arg(
    affinitySchema.optional(),
    "What the pods want near them, and what not. What the component needs itself is added to it.",
  ),
  topologySpreadConstraints: arg(
    z
      .array(
        group(
          "TopologySpreadConstraintArgs",
          "How evenly pods lie over nodes, zones or whatever a node's label names.",
          {
            maxSkew: arg(
              input(whole(1, 10_000, "pods")).default(1),
              "By how many pods one place may be ahead of another.",
            ),
            topologyKey: arg(input(qualifiedName), "The node's label whose values are the places.", {
              example: '"topology.kubernetes.io/zone"',
            }),
            whenUnsatisfiable: arg(
              input(oneOf(UnsatisfiableSpread)).default("ScheduleAnyway"),
              "Whether a pod that would lie too unevenly waits, or runs all the same.",
            ),
            labelSelector: arg(labelSelectorSchema.optional(), "Which pods are counted.", {
              default: "- the component's own",
            }),
          },
        ),
      )
      .optional(),
    "How the pods spread over nodes or zones.",
    { default: "- several proxies of one component keep to nodes of their own where they can" },
  ),
  priorityClassName: arg(input(objectName).optional(), "Name of a PriorityClass.", { passedTo: "pod" }),
  runtimeClassName: arg(
    input(objectName).optional(),
    "Name of a RuntimeClass, such as the one that brings a GPU's driver into the container.",
    { default: "- the cluster's default runtime", passedTo: "pod" },
  ),
});

export const schedulingSchema = across(fields, ({ topologySpreadConstraints = [] }, fault) => {
  const seen = new Set<string>();
  for (const [index, { topologyKey, whenUnsatisfiable }] of topologySpreadConstraints.entries()) {
    const place = [known(topologyKey), known(whenUnsatisfiable)];
    if (place.includes(undefined)) continue;
    if (seen.has(place.join()))
      fault`topologySpreadConstraints[${index}]: has the topologyKey and whenUnsatisfiable of another; list each place once`;
    seen.add(place.join());
  }
}).prefault({});

export type SchedulingParsed = z.output<typeof schedulingSchema>;

interface RequiredPods {
  readonly requiredDuringSchedulingIgnoredDuringExecution: readonly object[];
}

/** What a component says of its pods' nodes besides its caller. */
export interface OwnScheduling {
  /** Labels of the pods, which a spread counts unless it says which. */
  readonly selector: Readonly<Record<string, Input<string>>>;
  /** Whether the pods keep apart from each other where that is possible, unless the caller says how. */
  readonly apart?: boolean;
  readonly nodeSelector?: Readonly<Record<string, Input<string>>>;
  readonly podAffinity?: Input<RequiredPods | undefined>;
}

/** The pod's fields that choose its node. */
export function podScheduling(scheduling: SchedulingParsed, own: OwnScheduling): Partial<PodSpec> {
  const spreads = scheduling.topologySpreadConstraints ?? (own.apart === true ? [apart] : []);
  const ownLabels = { matchLabels: own.selector };
  return compact({
    nodeSelector: ifAny({ ...scheduling.nodeSelector, ...own.nodeSelector }),
    tolerations: ifAny(scheduling.tolerations.map(compact)),
    affinity: knownWhereEqual(
      affinity(scheduling.affinity, standIn),
      affinity(scheduling.affinity, undefined),
      whenKnown(own.podAffinity, (required) => affinity(scheduling.affinity, required)),
    ),
    topologySpreadConstraints: ifAny(
      spreads.map((spread) => ({ labelSelector: ownLabels, ...compact(spread) })),
    ),
    ...passedOn("pod", fields, scheduling),
  });
}

const apart = {
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: UnsatisfiableSpread.scheduleAnyway,
};

/** In the place of what a pod must have near it, where that is known later. */
const standIn: RequiredPods = { requiredDuringSchedulingIgnoredDuringExecution: [{}] };

/** What the caller asks for together with what the component must have. */
function affinity(
  given: SchedulingParsed["affinity"],
  podAffinity: RequiredPods | undefined,
): Affinity | undefined {
  const pods = given?.podAffinity;
  const required = [
    ...(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(pods?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ];
  const joined = compact({ ...pods, requiredDuringSchedulingIgnoredDuringExecution: ifAny(required) });
  return ifAny(compact({ ...given, podAffinity: ifAny(joined) })) as Affinity | undefined;
}
