import { type Args, below, type Trial, type Trials } from "../kit/trials.fixture.ts";
import type { schedulingSchema } from "./scheduling.ts";

const spread = { topologyKey: "topology.kubernetes.io/zone" };
const tolerated = { tolerations: [{ key: "gpu", operator: "Equal", value: "a", effect: "NoExecute" }] };
const spreading = { topologySpreadConstraints: [spread] };
const zone = { matchExpressions: [{ key: spread.topologyKey, operator: "In", values: ["a"] }] };
const near = { topologyKey: spread.topologyKey, labelSelector: { matchLabels: { app: "cache" } } };
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Terms of a pod's affinity and spread: whatever changes in one, the pods are others. */
export type Terms = `${string}IgnoredDuringExecution` | `${string}labelSelector`;

/**
 * Of the group that all components' pods have.
 * @param from what a component must have so that the pods are there
 */
export function schedulingTrials(from: Args = {}) {
  const set = (value: unknown, scheduling?: object): Trial => ({
    from: { ...from, ...(scheduling && { scheduling }) },
    value,
    verdict: "restarts",
  });
  const podTerms = { [required]: set([near]), [preferred]: set([{ weight: 1, podAffinityTerm: near }]) };
  return below("scheduling", {
    nodeSelector: set({ pool: "big" }),
    "tolerations[0].key": set("cpu", tolerated),
    "tolerations[0].value": set("b", tolerated),
    "tolerations[0].operator": set("Exists", { tolerations: [{ key: "gpu" }] }),
    "tolerations[0].effect": set("NoSchedule", tolerated),
    "tolerations[0].tolerationSeconds": set(60, tolerated),
    ...below("affinity.nodeAffinity", {
      [required]: set({ nodeSelectorTerms: [zone] }),
      [preferred]: set([{ weight: 1, preference: zone }]),
    }),
    ...below("affinity.podAffinity", podTerms),
    ...below("affinity.podAntiAffinity", podTerms),
    "topologySpreadConstraints[0].maxSkew": set(2, spreading),
    "topologySpreadConstraints[0].topologyKey": set("rack", spreading),
    "topologySpreadConstraints[0].whenUnsatisfiable": set("DoNotSchedule", spreading),
    "topologySpreadConstraints[0].labelSelector": set({ matchLabels: { app: "cache" } }, spreading),
    priorityClassName: set("high"),
    runtimeClassName: set("nvidia"),
  } satisfies Trials<typeof schedulingSchema, Terms>);
}
