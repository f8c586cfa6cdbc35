/** What the bench compares. */

/**
 * rival -> figure -> one number per counted run. Times in seconds, sizes in bytes, counts plain.
 * Ours is the rival "drawbridge".
 *
 * @example { drawbridge: { login: [0.21, 0.2, 0.22] }, direct: { login: [0.24, 0.23, 0.25] } }
 */
export type Samples = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

/**
 * Runs where the cluster's addresses can be reached, and removes what it made, also when it fails.
 * @param progress takes one line whenever something worth knowing has happened
 */
export type Run = (progress: (line: string) => void) => Promise<Samples>;

/** One comparison, whose rivals take turns in one run. */
export interface Scenario {
  /** Its name in `--only` and in the JSON, for example `survival`. */
  readonly name: string;
  /** What is compared, in one line. */
  readonly title: string;
  readonly run: Run;
  /** Of the sizes that take too long for every run; a scenario without such has none. */
  readonly runFull?: Run;
}
