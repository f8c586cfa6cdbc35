import type { MayEnd } from "./fault.ts";
import type { Platform } from "./platform.ts";

/** What one look found. */
export interface Finding {
  /** What did not hold, a sentence each. */
  readonly breaches: readonly string[];
  /** What did not happen in time, a sentence each: a breach, unless the machine itself was too slow for the bounds. */
  readonly late?: readonly string[];
  /** Sessions that ended as they may. */
  readonly ended?: number;
  /** Seconds from the fault until the last client whose session ended knew of it. */
  readonly told?: number;
  /** Seconds until each door let someone in. */
  readonly logins?: Readonly<Record<string, number>>;
}

/** Something that holds at all times. */
export interface Invariant {
  readonly name: string;
  /** Begins to watch; called once, before the first fault. */
  begin(platform: Platform): Promise<Watch>;
}

/** The fault that a look comes after. */
export interface Scene {
  /** What it was allowed to end. */
  readonly mayEnd: MayEnd;
  /** When it was injected, in milliseconds as `Date.now()` has them. */
  readonly injected: number;
}

export interface Watch {
  /** Looks, after each fault was healed. */
  look(scene: Scene): Promise<Finding>;
  end(): Promise<void>;
}
