import type { Args, FieldEdit, FieldEdits } from "./edit.ts";

const toleration = { key: "gpu", value: "a", effect: "NoSchedule" };
const spread = { topologyKey: "topology.kubernetes.io/zone" };
const zone = { matchExpressions: [{ key: spread.topologyKey, operator: "In", values: ["a"] }] };
const near = { topologyKey: spread.topologyKey, labelSelector: { matchLabels: { app: "cache" } } };
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const nodes = { [required]: { nodeSelectorTerms: [zone] } };
const pods = { [required]: [near] };

/**
 * Edits of the group that all components' pods have.
 * @param from what a component must have so that the pods are there
 */
export function schedulingEdits(from: Args = {}): FieldEdits {
  const edit = (to: object, before?: object): FieldEdit => ({
    from: { ...from, ...(before && { scheduling: before }) },
    to: { scheduling: to },
    verdict: "restarts",
  });
  const tolerations = [toleration];
  const topologySpreadConstraints = [spread];
  const edits = {
    nodeSelector: edit({ nodeSelector: { pool: "big" } }),
    "tolerations[0].key": edit({ tolerations: [{ ...toleration, key: "cpu" }] }, { tolerations }),
    "tolerations[0].value": edit({ tolerations: [{ ...toleration, value: "b" }] }, { tolerations }),
    "tolerations[0].effect": edit({ tolerations: [{ ...toleration, effect: "NoExecute" }] }, { tolerations }),
    [`affinity.nodeAffinity.${required}`]: edit({ affinity: { nodeAffinity: nodes } }),
    [`affinity.nodeAffinity.${preferred}`]: edit({
      affinity: { nodeAffinity: { [preferred]: [{ weight: 1, preference: zone }] } },
    }),
    ...Object.fromEntries(
      ["podAffinity", "podAntiAffinity"].flatMap((kind) => [
        [`affinity.${kind}.${required}`, edit({ affinity: { [kind]: pods } })],
        [
          `affinity.${kind}.${preferred}`,
          edit({ affinity: { [kind]: { [preferred]: [{ weight: 1, podAffinityTerm: near }] } } }),
        ],
      ]),
    ),
    "topologySpreadConstraints[0].maxSkew": edit(
      { topologySpreadConstraints: [{ ...spread, maxSkew: 2 }] },
      { topologySpreadConstraints },
    ),
    "topologySpreadConstraints[0].topologyKey": edit(
      { topologySpreadConstraints: [{ topologyKey: "rack" }] },
      { topologySpreadConstraints },
    ),
    "topologySpreadConstraints[0].whenUnsatisfiable": edit(
      { topologySpreadConstraints: [{ ...spread, whenUnsatisfiable: "DoNotSchedule" }] },
      { topologySpreadConstraints },
    ),
    "topologySpreadConstraints[0].labelSelector": edit(
      { topologySpreadConstraints: [{ ...spread, labelSelector: { matchLabels: { app: "cache" } } }] },
      { topologySpreadConstraints },
    ),
    priorityClassName: edit({ priorityClassName: "high" }),
    runtimeClassName: edit({ runtimeClassName: "nvidia" }),
  };
  return Object.fromEntries(Object.entries(edits).map(([path, one]) => [`scheduling.${path}`, one]));
}

/**
 * Edits of `resources`, which stands at `path`, in both forms.
 * @param set what holds the group
 */
export function resourcesEdits(
  path: string,
  set: (resources: object) => Args,
  { from, verdict = "restarts" }: { from?: Args; verdict?: string } = {},
): FieldEdits {
  const edit = (to: object): FieldEdit => ({ ...(from && { from }), to: set(to), verdict });
  return {
    [`${path}.cpu`]: edit({ cpu: "2" }),
    [`${path}.memory`]: edit({ memory: "3Gi" }),
    [`${path}.requests`]: edit({ requests: { cpu: "2" } }),
    [`${path}.limits`]: edit({ limits: { cpu: "4" } }),
  };
}
