import type { MayEnd } from "./fault.ts";
import type { Platform } from "./platform.ts";

/** What one look found. */
export interface Finding {
  /** What did not hold, a sentence each. */
  readonly breaches: readonly string[];
  /** Sessions that ended as they may. */
  readonly ended?: number;
  /** Seconds until each container let somebody in. */
  readonly logins?: Readonly<Record<string, number>>;
}

/** Something that holds at all times. */
export interface Invariant {
  readonly name: string;
  /** Begins to watch; called once, before the first fault. */
  begin(platform: Platform): Promise<Watch>;
}

export interface Watch {
  /**
   * Looks, after each fault was healed.
   * @param mayEnd what the fault was allowed to end
   */
  look(mayEnd: MayEnd): Promise<Finding>;
  end(): Promise<void>;
}
