/** What a drill does and when, as a pure function of its seed: the same seed is the same drill. */

/** What the schedule has to know of a kind of fault. */
export interface Kind {
  readonly name: string;
  /** Least and most seconds from injecting it to healing it. */
  readonly lasts: readonly [number, number];
}

/** One fault to come. */
export interface Planned {
  /** Its place in the drill, from 0 on. */
  readonly index: number;
  readonly fault: string;
  /** Earliest second of the drill at which it is injected; what takes longer to heal moves all that follows. */
  readonly at: number;
  /** Seconds until it is healed. */
  readonly lasts: number;
  /** Chooses the target among those there are then: 0 is the first, just below 1 the last. */
  readonly pick: number;
}

/** Seconds of quiet before each fault. */
const quiet = [1, 5] as const;

/**
 * The first `count` faults. A longer drill of the same seed begins with the shorter one, so it can be gone on with. Each
 * kind comes once before any comes again.
 */
export function schedule(seed: number, kinds: readonly Kind[], count: number): Planned[] {
  const random = randomOf(seed);
  const between = ([least, most]: readonly [number, number]) => Math.round(least + random() * (most - least));
  const planned: Planned[] = [];
  let bag: Kind[] = [];
  let clock = 0;
  for (let index = 0; index < count; index += 1) {
    if (bag.length === 0) bag = [...kinds];
    const [kind] = bag.splice(Math.floor(random() * bag.length), 1);
    if (kind === undefined) throw new Error("a drill needs at least one kind of fault");
    const at = clock + between(quiet);
    const lasts = between(kind.lasts);
    planned.push({ index, fault: kind.name, at, lasts, pick: random() });
    clock = at + lasts;
  }
  return planned;
}

/** Mulberry32: small, the same on every machine, and even enough to choose faults with. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The one that `pick` chooses. */
export function picked<T>(among: readonly T[], pick: number): T {
  const found = among[Math.floor(pick * among.length)];
  if (found === undefined) throw new Error("there is nothing to choose from");
  return found;
}
