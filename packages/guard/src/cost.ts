/** Changes of cost: GPUs, volumes, LoadBalancers. */
import { quantityValue } from "@drawbridge-iac/drawbridge/src/kubernetes/quantity";
import { type Change, ends, kindOf } from "./change.ts";
import { at, hasHidden, listAt, mapAt } from "./values.ts";

/** What an object uses; NaN if the preview does not show it. */
type Measure = (inputs: unknown, change: Change) => number;

const measures: readonly (readonly [string, Measure, string])[] = [
  ["GPUs", gpuCount, ""],
  ["storage", volumeSize, " GiB"],
  ["LoadBalancers", balancerCount, ""],
];

export const describeCost = (changes: readonly Change[]): string[] =>
  measures.flatMap(([what, measure, unit]) => {
    const differences = changes.map((change) => difference(change, measure));
    const shown = differences.filter((one) => !Number.isNaN(one));
    const sum = Math.round(shown.reduce((one, other) => one + other, 0) * 100) / 100;
    const text = `${what}: ${sum > 0 ? "+" : ""}${sum}${unit}`;
    if (shown.length < differences.length) return [`${text}, and what the preview does not show`];
    return sum === 0 ? [] : [text];
  });

/** Of a replacement, the new object is one step and the old one another; `replace` stands for both. */
function difference(change: Change, measure: Measure): number {
  if (change.op === "replace") return 0;
  if (change.op === "create-replacement") return measure(change.after, change);
  const before = measure(change.before, change);
  // A retained volume goes on costing.
  const after = ends(change) ? (change.retained ? before : 0) : measure(change.after, change);
  return after - before;
}

function gpuCount(inputs: unknown, change: Change): number {
  if (!["StatefulSet", "Deployment"].includes(kindOf(change))) return 0;
  const gpus = listAt(inputs, "spec", "template", "spec", "containers")
    .flatMap((container) => Object.entries(mapAt(container, "resources", "limits")))
    .filter(([resource]) => isGpu.test(resource))
    .reduce((sum, [, count]) => sum + Number(count), 0);
  // One that may sleep says nothing of replicas: it may wake at any time. A preview's placeholder is no number.
  return gpus === 0 ? 0 : gpus * Number(at(inputs, "spec", "replicas") ?? 1);
}

/** Names such as nvidia.com/gpu.shared, nvidia.com/mig-1g.10gb, amd.com/gpu and gpu.intel.com/i915. */
const isGpu = /\/(.*gpu|mig-)|^gpu\.intel\.com\/(i915|xe)$/;

function volumeSize(inputs: unknown, change: Change): number {
  if (kindOf(change) !== "PersistentVolumeClaim") return 0;
  const size = at(inputs, "spec", "resources", "requests", "storage");
  if (hasHidden(size)) return Number.NaN;
  return (quantityValue(String(size)) ?? 0) / 2 ** 30;
}

function balancerCount(inputs: unknown, change: Change): number {
  return kindOf(change) === "Service" && at(inputs, "spec", "type") === "LoadBalancer" ? 1 : 0;
}
