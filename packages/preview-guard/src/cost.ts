/** Changes of cost: GPUs, volumes, LoadBalancers. */
import { quantityValue } from "@drawbridge-iac/manifests";
import { type Change, ends, isReplaced, kindOf } from "./change.ts";
import { at, listAt, mapAt } from "./values.ts";

const measures = [
  ["GPUs", gpuCount, ""],
  ["storage", volumeSize, " GiB"],
  ["LoadBalancers", balancerCount, ""],
] as const;

export const describeCost = (changes: readonly Change[]): string[] =>
  measures.flatMap(([what, measure, unit]) => {
    const sum = total(changes, measure);
    return sum === 0 ? [] : [`${what}: ${sum > 0 ? "+" : ""}${sum}${unit}`];
  });

function total(changes: readonly Change[], measure: (inputs: unknown, change: Change) => number): number {
  let sum = 0;
  for (const change of changes) {
    if (isReplaced(change)) continue;
    const before = change.op === "create" ? 0 : measure(change.before, change);
    // A retained volume goes on costing.
    const after = ends(change) ? (change.retained ? before : 0) : measure(change.after, change);
    sum += after - before;
  }
  return Math.round(sum * 100) / 100;
}

function gpuCount(inputs: unknown, change: Change): number {
  if (!["StatefulSet", "Deployment"].includes(kindOf(change))) return 0;
  // Switched off, it has no pod; one that sleeps says nothing of replicas, and may wake at any time.
  if (at(inputs, "spec", "replicas") === 0) return 0;
  return listAt(inputs, "spec", "template", "spec", "containers")
    .flatMap((container) => Object.entries(mapAt(container, "resources", "limits")))
    .filter(([resource]) => /^(nvidia|amd|intel|gpu)\b.*\/(.*gpu|mig-)/.test(resource))
    .reduce((sum, [, count]) => sum + Number(count), 0);
}

function volumeSize(inputs: unknown, change: Change): number {
  if (kindOf(change) !== "PersistentVolumeClaim") return 0;
  return (quantityValue(String(at(inputs, "spec", "resources", "requests", "storage"))) ?? 0) / 2 ** 30;
}

function balancerCount(inputs: unknown, change: Change): number {
  return kindOf(change) === "Service" && at(inputs, "spec", "type") === "LoadBalancer" ? 1 : 0;
}
