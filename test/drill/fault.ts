import type { Platform } from "./platform.ts";
import type { Kind } from "./schedule.ts";
import { teams } from "./teams.ts";

/** Which sessions a fault may end: nothing else may. */
export interface MayEnd {
  /** All sessions of these containers, whose pods it ends. */
  readonly containers: readonly string[];
  /** How many of the others at most: the tunnels of the proxies that it ends. */
  readonly tunnels: number;
  /** Seconds that these are held open at least: those of a proxy that is asked to go, not of one that dies. */
  readonly grace: number;
  /** Whether all sessions through frp, which one server carries. */
  readonly frp: boolean;
}

/** A fault that has been injected. */
export interface Injected {
  /** What it hit, for the record. */
  readonly target: string;
  readonly mayEnd: MayEnd;
  /** Takes it away; throws a `Breach`, if need be. That the platform is whole again then, the drill waits for by itself. */
  heal(): Promise<void>;
}

/** What a fault itself saw that must not be: unlike what is only late, it is never the machine's. */
export class Breach extends Error {}

/** A kind of fault. */
export interface Fault extends Kind {
  /**
   * Throws where it cannot be had: the record then says so, and nothing is counted.
   * @param pick chooses the target, see `picked`
   */
  inject(pick: number, platform: Platform): Promise<Injected>;
}

export const nothing: MayEnd = { containers: [], tunnels: 0, grace: 0, frp: false };

/** Of what was begun and not finished, nobody knows what it ended. */
export const anything: MayEnd = { containers: teams, tunnels: 0, grace: 0, frp: true };

/** For a fault that goes by itself. */
export const byItself = async (): Promise<void> => {};
