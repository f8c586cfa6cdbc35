/** What somebody meant who misspelt a name. */

/** The candidate that a word was meant to be: the same but for case and separators, or few slips away. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const bare = (text: string) => text.toLowerCase().replace(/[-_\s]/g, "");
  const alike = candidates.find((candidate) => bare(candidate) === bare(word));
  if (alike !== undefined) return alike;
  const allowed = word.length < 2 ? 0 : word.length < 6 ? 1 : 2;
  const ranked = candidates
    .map((candidate) => ({ candidate, slips: slips(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((one) => one.slips <= allowed)
    .sort((a, b) => a.slips - b.slips);
  return ranked[0]?.candidate;
}

/** Letters added, left out, changed or swapped with their neighbour (optimal string alignment). */
function slips(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const before = (back: number, left: number) => rows[i - back]?.[j - left] ?? 0;
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j - 1] ?? 0) + 1, before(1, 0) + 1, before(1, 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, before(2, 2) + 1);
      }
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
