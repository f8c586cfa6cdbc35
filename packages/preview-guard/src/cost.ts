/** Changes of cost: GPUs, volumes, LoadBalancers. */
import type { Change } from "./change.ts";
import { at, ends, isReplaced, kindOf } from "./finding.ts";

export function describeCost(changes: readonly Change[]): string[] {
  const gpus = total(changes, gpuCount);
  const gibibytes = total(changes, volumeSize);
  const balancers = total(changes, balancerCount);
  return [
    ...(gpus === 0 ? [] : [`GPUs: ${signed(gpus)}`]),
    ...(gibibytes === 0 ? [] : [`storage: ${signed(gibibytes)} GiB`]),
    ...(balancers === 0 ? [] : [`LoadBalancers: ${signed(balancers)}`]),
  ];
}

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

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

function gpuCount(inputs: unknown, change: Change): number {
  if (!["StatefulSet", "Deployment"].includes(kindOf(change))) return 0;
  // Switched off, it has no pod; one that sleeps says nothing of replicas, and may wake at any time.
  if (at(inputs, "spec", "replicas") === 0) return 0;
  const containers = at(inputs, "spec", "template", "spec", "containers");
  if (!Array.isArray(containers)) return 0;
  const limits = containers.flatMap((container) =>
    Object.entries((at(container, "resources", "limits") ?? {}) as object),
  );
  return limits
    .filter(([resource]) => /^(nvidia|amd|intel|gpu)\b.*\/(.*gpu|mig-)/.test(resource))
    .reduce((sum, [, count]) => sum + Number(count), 0);
}

const units: Record<string, number> = {
  Ki: 2 ** -20,
  Mi: 2 ** -10,
  Gi: 1,
  Ti: 2 ** 10,
  Pi: 2 ** 20,
  G: 1e9 / 2 ** 30,
  T: 1e12 / 2 ** 30,
};

function volumeSize(inputs: unknown, change: Change): number {
  if (kindOf(change) !== "PersistentVolumeClaim") return 0;
  const match = /^([0-9.]+)([A-Za-z]*)$/.exec(
    String(at(inputs, "spec", "resources", "requests", "storage") ?? ""),
  );
  return match === null ? 0 : Number(match[1]) * (units[match[2] ?? ""] ?? 2 ** -30);
}

function balancerCount(inputs: unknown, change: Change): number {
  return kindOf(change) === "Service" && at(inputs, "spec", "type") === "LoadBalancer" ? 1 : 0;
}
