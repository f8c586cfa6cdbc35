/** Does the same for each of many, a few at a time, and keeps their order. */
export async function fewAtOnce<T, R>(
  few: number,
  all: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = all.entries();
  const worker = async () => {
    for (const [index, one] of waiting) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: few }, worker));
  return results;
}
