import type { Args, FieldEdit, FieldEdits } from "./edit.ts";

const spread = { topologyKey: "topology.kubernetes.io/zone" };
const tolerated = { tolerations: [{ key: "gpu", value: "a", effect: "NoSchedule" }] };
const spreading = { topologySpreadConstraints: [spread] };
const zone = { matchExpressions: [{ key: spread.topologyKey, operator: "In", values: ["a"] }] };
const near = { topologyKey: spread.topologyKey, labelSelector: { matchLabels: { app: "cache" } } };
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/**
 * Edits of the group that all components' pods have.
 * @param from what a component must have so that the pods are there
 */
export function schedulingEdits(from: Args = {}): FieldEdits {
  const set = (value: unknown, scheduling?: object): FieldEdit => ({
    from: { ...from, ...(scheduling && { scheduling }) },
    value,
    verdict: "restarts",
  });
  const podTerms = {
    [required]: set([near]),
    [preferred]: set([{ weight: 1, podAffinityTerm: near }]),
  };
  const edits = {
    nodeSelector: set({ pool: "big" }),
    "tolerations[0].key": set("cpu", tolerated),
    "tolerations[0].value": set("b", tolerated),
    "tolerations[0].effect": set("NoExecute", tolerated),
    [`affinity.nodeAffinity.${required}`]: set({ nodeSelectorTerms: [zone] }),
    [`affinity.nodeAffinity.${preferred}`]: set([{ weight: 1, preference: zone }]),
    ...below("affinity.podAffinity", podTerms),
    ...below("affinity.podAntiAffinity", podTerms),
    "topologySpreadConstraints[0].maxSkew": set(2, spreading),
    "topologySpreadConstraints[0].topologyKey": set("rack", spreading),
    "topologySpreadConstraints[0].whenUnsatisfiable": set("DoNotSchedule", spreading),
    "topologySpreadConstraints[0].labelSelector": set({ matchLabels: { app: "cache" } }, spreading),
    priorityClassName: set("high"),
    runtimeClassName: set("nvidia"),
  };
  return below("scheduling", edits);
}

const below = (path: string, edits: FieldEdits): FieldEdits =>
  Object.fromEntries(Object.entries(edits).map(([field, edit]) => [`${path}.${field}`, edit]));

/** Edits of a group of `resources`, which stands at `path`, in both forms. */
export function resourcesEdits(path: string, more: Pick<FieldEdit, "from" | "verdict"> = {}): FieldEdits {
  const set = (value: unknown): FieldEdit => ({ verdict: "restarts", ...more, value });
  return below(path, {
    cpu: set("2"),
    memory: set("3Gi"),
    requests: set({ cpu: "2" }),
    limits: set({ cpu: "4" }),
  });
}
