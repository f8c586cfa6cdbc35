/** What a scenario has to remove again, whether it ends, fails or is interrupted. */

/** Removes something; told to a scenario's `later` as soon as the thing exists. */
export type Removal = () => Promise<unknown>;

const open: Removal[] = [];
let stuck = 0;

/** How many removals have failed so far. */
export const leftBehind = (): number => stuck;

/**
 * Runs `work` and then, in reverse order, everything that it has said must be removed later. A removal that fails is
 * told and counted, but neither hides why the work failed nor takes what it has measured.
 *
 * @example
 * await withCleanup(async (later) => {
 *   const laptop = await Laptop.create();
 *   later(() => laptop.remove());
 * });
 */
export async function withCleanup<T>(work: (later: (removal: Removal) => void) => Promise<T>): Promise<T> {
  const own: Removal[] = [];
  const later = (removal: Removal) => {
    own.push(removal);
    open.push(removal);
  };
  try {
    return await work(later);
  } finally {
    await remove(own).catch((failure: Error) => console.error(failure.message));
  }
}

/** Removes all that still stands; for an interrupted run. */
export function removeAll(): Promise<void> {
  return remove([...open]);
}

/** One failed removal must not keep the others from happening. */
async function remove(removals: readonly Removal[]): Promise<void> {
  const failures: unknown[] = [];
  for (const removal of removals.toReversed()) {
    const index = open.indexOf(removal);
    if (index < 0) continue;
    open.splice(index, 1);
    try {
      await removal();
    } catch (error) {
      stuck += 1;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `not removed: ${failures.join("; ")}`);
}
