/** Label selectors as sets of requirements: more requirements select fewer objects. */
import { listAt, mapAt } from "../objects.ts";

/** Each requirement as a text; an empty set selects everything. */
export type Demands = ReadonlySet<string>;

export function demandsOf(selector: unknown): Demands {
  const labels = Object.entries(mapAt(selector, "matchLabels")).map(([key, value]) => `${key}=${value}`);
  const expressions = listAt(selector, "matchExpressions").map((one) => {
    const { key, operator, values } = one as { key?: string; operator?: string; values?: unknown[] };
    const isOne = operator === "In" && values?.length === 1;
    return isOne ? `${key}=${values[0]}` : `${key} ${operator} ${JSON.stringify(values ?? [])}`;
  });
  return new Set([...labels, ...expressions]);
}

/** Whether `wide` selects all that `narrow` selects, judged by the selectors alone. */
export function selects(wide: Demands, narrow: Demands): boolean {
  return [...wide].every((demand) => narrow.has(demand));
}

export function isSame(a: Demands, b: Demands): boolean {
  return selects(a, b) && selects(b, a);
}

/** The value that a label must have, where a selector demands one. */
export function demanded(demands: Demands, label: string): string | undefined {
  const found = [...demands].find((demand) => demand.startsWith(`${label}=`));
  return found?.slice(label.length + 1);
}

export function showDemands(demands: Demands, all: string): string {
  return demands.size === 0 ? all : [...demands].sort().join(", ");
}
