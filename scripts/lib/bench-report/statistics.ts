/** Summaries of a figure's runs. */

/** The middle value; the mean of the two middle ones when there is an even number of them. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error("a figure has no runs");
  return (low + high) / 2;
}
