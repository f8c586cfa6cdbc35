import type { V1LabelSelector } from "@kubernetes/client-node";

export type Labels = Readonly<Record<string, string>>;

/** Whether the labels satisfy a Kubernetes label selector; an empty selector selects everything. */
export function selects(selector: V1LabelSelector, labels: Labels): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return equal && (selector.matchExpressions ?? []).every((requirement) => meets(requirement, labels));
}

function meets(
  { key, operator, values = [] }: NonNullable<V1LabelSelector["matchExpressions"]>[number],
  labels: Labels,
): boolean {
  const value = labels[key];
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      throw new Error(`label selector operator "${operator}" is not known to the lab`);
  }
}
