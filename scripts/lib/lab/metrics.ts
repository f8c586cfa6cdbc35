/** What a program tells of itself at `/metrics`, in Prometheus' text. */

/** Each figure by its name, summed over its labels. */
export function metricsIn(text: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [, name = "", value] of text.matchAll(/^(\w+)(?:{[^}]*})? ([0-9.e+-]+)$/gm)) {
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return sums;
}

/** The same; throws where `program` has no such figure. */
export function metricsOf(text: string, program: string): (name: string) => number {
  const sums = metricsIn(text);
  return (name) => {
    const sum = sums.get(name);
    if (sum === undefined) throw new Error(`the metrics of ${program} have no ${name}`);
    return sum;
  };
}
