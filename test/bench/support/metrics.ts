/** What a program tells of itself at `/metrics`: each figure by its name, summed over its labels. */
export function metricsOf(text: string, program: string): (name: string) => number {
  return (name) => {
    const values = [...text.matchAll(new RegExp(`^${name}(?:{[^}]*})? ([0-9.e+-]+)$`, "gm"))];
    if (values.length === 0) throw new Error(`the metrics of ${program} have no ${name}`);
    return values.reduce((sum, [, value]) => sum + Number(value), 0);
  };
}
