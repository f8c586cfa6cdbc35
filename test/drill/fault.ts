import type { Kind } from "./schedule.ts";

/** Which sessions a fault may end: nothing else may. */
export interface MayEnd {
  /** All sessions of these containers, whose pods it ends. */
  readonly containers: readonly string[];
  /** How many of the others at most: the tunnels of the proxies that it ends. */
  readonly tunnels: number;
}

/** A fault that has been injected. */
export interface Injected {
  /** What it hit, for the record. */
  readonly target: string;
  readonly mayEnd: MayEnd;
  /** Takes it away and waits until the platform is whole again; throws where that does not happen in time. */
  heal(): Promise<void>;
}

/** A kind of fault. */
export interface Fault extends Kind {
  /** @param pick chooses the target, see `picked` */
  inject(pick: number): Promise<Injected>;
}

export const nothing: MayEnd = { containers: [], tunnels: 0 };
